"""Messages become a prompt: exact rendering, who wrote each character, and what each part costs."""

from tokcore.chat.chatml import CHATML_TEMPLATE
from tokcore.chat.template import render_chat

__all__ = ["CHATML_TEMPLATE", "render_chat"]
