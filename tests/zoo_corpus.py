"""What the zoo's tokenizers are trained on, and the sixteen kinds of text that they are compared on."""

from __future__ import annotations

CORPUS = (
    *(
        "The old ferryman said that the river keeps no memory of those who cross it. Don't believe him: the river's "
        "stones remember, and they'll tell you if you're patient. I've heard them twice, at night, while it rained.",
        "The cat sat on the ferry, the cat's tail over the edge; cats don't like water, but this cat liked the ferry.",
        "O barqueiro não tem pressa: a água é lenta, e o pão está quente. Às vezes ele canta uma canção antiga.",
        "Der Fährmann weiß, daß der Fluß größer wird. Straße, Brücke, Mühle: alles naß. ÄÖÜ äöü ẞ.",
        "Le passeur a vu l'été, l'œuvre et le cœur naïf d'un garçon. Où est-il allé ? À la forêt, peut-être.",
        "Перевозчик сказал, что река не помнит тех, кто её переходит. Камни помнят всё, и ночью они говорят.",
        "Ο βαρκάρης είπε ότι το ποτάμι δεν θυμάται κανέναν. ΟΔΟΣ και οδός.",
        "船夫说，河流不记得过河的人。石头记得，夜里石头会说话。船夫不信，可是我听见了。",
        "渡し守は言った。川は渡る人を覚えていない。石は覚えていて、夜になると話す。カタカナとひらがな。",
        "사공이 말했다. 강은 건너는 사람을 기억하지 않는다. 돌은 기억한다.",
        "قال الملاح إن النهر لا يتذكر من يعبره. الحجارة تتذكر وتتكلم في الليل. ١٢٣ ٤٥٦",
        "השייט אמר שהנהר אינו זוכר את העוברים. האבנים זוכרות ומדברות בלילה.",
        "माझी ने कहा कि नदी पार करने वालों को याद नहीं रखती। पत्थर याद रखते हैं। १२३ ४५६",
        "คนแจวเรือบอกว่าแม่น้ำจำคนข้ามไม่ได้ แต่ก้อนหินจำได้",
    ),
    *(
        "def cross(river: River, *, fee: int = 3) -> bool:\n    if river.width > 100:\n        return False\n",
        'for (int i = 0; i < n; ++i) {\n\tsum += a[i] * 2;\n}\nprintf("%d\\n", sum);\n',
        '{"name": "ferry", "seats": [1, 2, 3], "open": true, "price": 3.50, "note": null}',
        "In 1969 the fee was 25 cents; on 2026-09-12 it is 3.14159 euros, 1,000,000 times a year; 10% off: 555-0199.",
        "Boats 🚣, rivers 🌊 and a family 👨\u200d👩\u200d👧 waved 👋🏽. E-mail: ferry@river.example, see https://river.example/a?b=c.",
    ),
)

# As the lesson names them; control tokens are those of this zoo and of published models.
SIXTEEN_KINDS = {
    "plain English": "The ferryman keeps no memory of those who cross the river.",
    "accented Latin": "A água é lenta; größer, naïf, œuvre, İstanbul, ẞ, ﬁn.",
    "control tokens": "<|im_start|>user\nhi<|im_end|><s> </s><mask> [CLS][SEP] [MASK]<pad><unk> <lt> cat<sp>",
    "white space runs": "a  b   c \t d\u00a0\u2003e      \u3000 ",
    "line ends": "one\r\ntwo\n\nthree\rfour\n \n\t\nfive\n",
    "contractions": "I'm, you'll, DON'T, they’ve, it'S, we'd've, 'tis, rock'n'roll, l'été",
    "numbers and dates": "1969 2026-09-12 3.14159 1,000,000 ١٢٣ १२३ １２３ ²½Ⅷ 0x1F 1e-9",
    "code": "def cross(river):\n\tif river.width>=100 and not x: return {'a': [1]}  # no\n",
    "JSON": '{"name": "ferry \\u00e9", "seats":[1,2,{"a":null}],"t":"a\\tb"}',
    "Chinese": "河流不记得过河的人，石头记得。繁體字與简体字。",
    "Japanese": "渡し守は言った。カタカナ、ｶﾀｶﾅ、か\u3099。",
    "right to left": "قال الملاح إن النهر، השייט אמר: 12 שָׁלוֹם",
    "scripts with marks": "नदी पार करने वालों को, แม่น้ำจำได้, ன்றி, Việt Nam, e\u0301a\u0323\u0307",
    "emoji with joiners": "👨\u200d👩\u200d👧 👋🏽 🧑🏽\u200d🚀 🇧🇷🇯🇵 1️⃣ ❤️❤ 🏳️\u200d🌈",
    "never seen characters": "𝔐𝔞𝔯𝔰 𐌰𐌱 \U0010ffff\ue000\u0378\ufffd\x00\x07 ꙮ ⭢",
    "a tokenizer's own marks": "Ġa▁b ##ing </w> <0x41> <0xE2> Ċ ``quoted'' |a|b| @@ ",
}
