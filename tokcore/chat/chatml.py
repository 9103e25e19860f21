"""Our own ChatML template, for models that come without one: the format of Qwen3 in words of our own."""

from __future__ import annotations

# What the format fixes: each turn is `<|im_start|>role`, a line break, the text, `<|im_end|>`, a line break. Tools
# stand in the system turn, one JSON object a line between <tools> tags; calls are JSON between <tool_call> tags, in
# the assistant's turn; results of neighbouring calls share one user turn, each between <tool_response> tags. Thoughts
# stay in the turns after the last question and are left out of older ones. `enable_thinking` false: the prompt ends
# with an empty think block, so that the answer begins at once.
CHATML_TEMPLATE = """\
{#- Text of a message: a string, or the text parts of a list. -#}
{%- macro text(content) -%}
    {%- if content is string -%}
        {{- content -}}
    {%- elif content is iterable and content is not mapping -%}
        {%- for part in content -%}
            {{- part if part is string else part.text | default('') -}}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro -%}

{#- A tool call, in the OpenAI shape or bare; arguments as an object or as JSON text. -#}
{%- macro tool_call(call) -%}
    {%- set function = call.function | default(call) -%}
    {{- '<tool_call>\\n{"name": ' + function.name | tojson + ', "arguments": ' -}}
    {{- function.arguments if function.arguments is string else function.arguments | default({}) | tojson -}}
    {{- '}\\n</tool_call>' -}}
{%- endmacro -%}

{#- The last question: a user turn that is not a tool's result in disguise. -#}
{%- set last = namespace(question=messages | length - 1) -%}
{%- for message in messages -%}
    {%- set said = text(message.content) -%}
    {%- if message.role == 'user' and not (said.startswith('<tool_response>') and said.endswith('</tool_response>')) -%}
        {%- set last.question = loop.index0 -%}
    {%- endif -%}
{%- endfor -%}

{%- set begins_with_system = messages and messages[0].role == 'system' -%}
{%- if tools -%}
    {{- '<|im_start|>system\\n' -}}
    {%- if begins_with_system -%}
        {{- text(messages[0].content) + '\\n\\n' -}}
    {%- endif -%}
    {{- '# Tools\\n\\nThese functions can be called, each given by its JSON signature:\\n<tools>\\n' -}}
    {%- for tool in tools -%}
        {{- tool | tojson + '\\n' -}}
    {%- endfor -%}
    {{- '</tools>\\n\\nTo call one, write its name and arguments as one JSON object between these tags:\\n' -}}
    {{- '<tool_call>\\n{"name": <name>, "arguments": <object>}\\n</tool_call><|im_end|>\\n' -}}
{%- elif begins_with_system -%}
    {{- '<|im_start|>system\\n' + text(messages[0].content) + '<|im_end|>\\n' -}}
{%- endif -%}

{%- for message in messages -%}
    {%- if message.role == 'tool' -%}
        {%- if loop.first or loop.previtem.role != 'tool' -%}
            {{- '<|im_start|>user' -}}
        {%- endif -%}
        {{- '\\n<tool_response>\\n' + text(message.content) + '\\n</tool_response>' -}}
        {%- if loop.last or loop.nextitem.role != 'tool' -%}
            {{- '<|im_end|>\\n' -}}
        {%- endif -%}
    {%- elif message.role == 'assistant' -%}
        {%- set content = text(message.content) -%}
        {%- set thoughts = message.reasoning_content | default('') -%}
        {%- if not thoughts and '</think>' in content -%}
            {%- set thoughts = content.split('</think>')[0].split('<think>')[-1] -%}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') -%}
        {%- endif -%}
        {{- '<|im_start|>assistant\\n' -}}
        {%- if loop.index0 > last.question and (loop.last or thoughts) -%}
            {{- '<think>\\n' + thoughts.strip('\\n') + '\\n</think>\\n\\n' -}}
            {%- set content = content.lstrip('\\n') -%}
        {%- endif -%}
        {{- content -}}
        {%- for call in message.tool_calls | default([], true) -%}
            {{- '\\n' if content or not loop.first -}}
            {{- tool_call(call) -}}
        {%- endfor -%}
        {{- '<|im_end|>\\n' -}}
    {%- elif message.role == 'user' or (message.role == 'system' and not loop.first) -%}
        {{- '<|im_start|>' + message.role + '\\n' + text(message.content) + '<|im_end|>\\n' -}}
    {%- elif message.role != 'system' -%}
        {{- raise_exception('the roles are system, user, assistant and tool, not ' ~ message.role | default('none')) -}}
    {%- endif -%}
{%- endfor -%}

{%- if add_generation_prompt -%}
    {{- '<|im_start|>assistant\\n' -}}
    {%- if enable_thinking is defined and enable_thinking is false -%}
        {{- '<think>\\n\\n</think>\\n\\n' -}}
    {%- endif -%}
{%- endif -%}
"""
