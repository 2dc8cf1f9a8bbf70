"""Words of questions, by language: who spoke, which of them, which step, and when.

They steer a recall and nothing else: what they are taken for decides which steps come first, and
never what is said of them. To add a language, add its entry to `LANGUAGES`: `marks` tells that a
question is in it, and each of `words` is a concept that English has here too; what is left out is
only not understood. Patterns are read in lower case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LANGUAGES", "Language", "Word", "in_english_steps", "spoken", "words_in"]

_KEPT: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What is understood of a language.

    Attributes:
        words: Alternatives for each concept, as a pattern; the first concept that fits counts.
        marks: A pattern that only its questions hold; empty for a language that is always read.
        months: Its twelve months, as patterns.
        weekdays: Its weekdays from Monday on, as patterns.
        step: A step named by its number, which is the one group of the pattern.
        is_spaced: Whether blanks stand between its words.
    """

    words: Mapping[str, str]
    marks: str = ""
    months: str = ""
    weekdays: str = ""
    step: str = ""
    is_spaced: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of a question that is understood.

    Attributes:
        concept: What it stands for.
        start: Its first character's place.
        end: The place behind its last character.
        text: Itself, in lower case.
    """

    concept: str
    start: int
    end: int
    text: str


_N: Final = r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|ten) "

LANGUAGES: Final = {
    "en": Language(
        months="jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)?"
        " sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)?",
        weekdays="monday tuesday wednesday thursday friday saturday sunday",
        words={
            "days_ago": rf"{_N}days? ago",
            "weeks_ago": rf"{_N}weeks? ago",
            "months_ago": rf"{_N}months? ago",
            "last_days": r"(?:last|past) \d{1,4} days",
            "before_yesterday": r"(?:the )?day before yesterday",
            "yesterday": r"yesterday|last night",
            "today": r"today|tonight|this (?:morning|afternoon|evening)",
            "last_week": r"(?:last|past|previous) week",
            "last_month": r"(?:last|past|previous) month",
            "last_year": r"(?:last|past|previous) year",
            "this_week": r"this week",
            "this_month": r"this month",
            "this_year": r"this year",
            "ending": r"how did (?:it|this|that|the (?:session|run|conversation|chat)) "
            r"(?:all )?(?:end|turn out|finish)",
            "why": r"why|how",
            "task": r"(?:asked|told|supposed|meant|instructed) to do|trying to (?:do|achieve)"
            r"|tasks?|goal|objective|assignment",
            "first": r"first|initial(?:ly)?|earliest|original(?:ly)?"
            r"|(?:at|in) the (?:very )?(?:beginning|start)",
            "last": r"last|final(?:ly)?|latest|most recent(?:ly)?|at the (?:very )?end",
            "now": r"now|current(?:ly)?|newest|at present|at the moment|nowadays|these days",
            "since": r"since|starting from",
            "until": r"until|till|up to",
            "after": r"after(?:wards)?|following",
            "before": r"before|prior to|preceding",
            "user": r"(?:users?|human|customer)(?:'s)?|i|my|we",
            "agent": r"(?:agent|assistant|model|bot)(?:'s)?|you",
            "command": r"commands?",
            "edit": r"edit(?:s|ed)?|modif(?:y|ied|ications?)",
            "error": r"errors?|exceptions?|failures?|fail(?:s|ed|ing)?|crash(?:es|ed)?|tracebacks?",
            "call": r"tool calls?|calls?|actions?",
            "prompt": r"questions?|requests?|prompts?|instructions?",
            "reply": r"answers?|repl(?:y|ies)|response|conclusion",
            "message": r"messages?",
            "said": r"ask(?:s|ed)?(?: for| about)?|wants?|wanted|says?|said|tells?|told|typed?"
            r"|wrote|answered|replied|requested",
            "quoted": r"show|print|quote|display|contents?|contains?|text|read|verbatim",
            "did": r"happen(?:s|ed)?|did|do|does|done|ran|runs?|executed|issued|made|took|taken"
            r"|used|came|comes?",
            "filler": r"things?|next|right|just|immediately|directly|session|conversation|chat"
            r"|files?|ever|whole|full|exact(?:ly)?|steps?|turns?|us|very",
        },
    ),
    "de": Language(
        marks=r"^\W*was\b|\b(?:wer|wann|wie|welche[rsmn]?|warum|zeig\w*|schritt)\b",
        months="januar februar märz april mai juni juli august september oktober november dezember",
        step=r"\bschritte?n? (\d{1,12})",
        weekdays="montag dienstag mittwoch donnerstag freitag samstag sonntag",
        words={
            "days_ago": r"vor (?:\d{1,4}|einem|zwei|drei|vier|fünf) tag(?:en)?",
            "weeks_ago": r"vor (?:\d{1,4}|einer|zwei|drei|vier) wochen?",
            "months_ago": r"vor (?:\d{1,4}|einem|zwei|drei) monat(?:en)?",
            "before_yesterday": "vorgestern",
            "yesterday": "gestern",
            "today": "heute",
            "last_week": r"(?:letzte[rn]?|vorige[rn]?|vergangene[rn]?) woche",
            "last_month": r"(?:letzten|vorigen|vergangenen) monat",
            "last_year": r"(?:letztes|letzten|voriges|vergangenes) jahr",
            "this_week": r"diese[r]? woche",
            "this_month": r"diese[nm] monat",
            "why": r"warum|wieso|weshalb|wie (?:viele?|oft|lange)",
            "task": r"aufgabe|auftrag|ziel",
            "first": r"zuerst|erste[rsnm]?|anfangs|am anfang",
            "last": r"zuletzt|letzte[rsnm]?|am ende|schließlich",
            "now": r"jetzt|aktuelle?[rsnm]?|derzeit|momentan|neueste[rsnm]?",
            "since": "seit",
            "until": "bis",
            "after": r"nach(?:dem)?|danach",
            "before": r"vor(?:her)?|bevor",
            "user": r"(?:be)?nutzer(?:in)?|anwender(?:in)?|ich|meine?[rn]?|wir",
            "agent": r"agent|assistent|modell|du",
            "command": r"befehle?|kommandos?",
            "edit": r"bearbeitet|geändert|änderung(?:en)?",
            "error": r"fehler|ausnahme|fehlgeschlagen|fehlschlug|abgestürzt",
            "prompt": r"fragen?|bitte|anweisung|anfrage",
            "reply": r"antwort(?:en)?",
            "message": "nachrichten?",
            "said": r"gefragt|gebeten|gesagt|verlangt|gewollt|wollte|geschrieben|geantwortet"
            "|gewünscht",
            "quoted": r"steht|zeige?|lautete?|inhalt|text",
            "filler": r"was|wer|wie|welche[rsmn]?|war|waren|wurden?|ist|sind|hat|haben|habe|der|die"
            r"|das|den|dem|in|im|am|von|es|mir|geschah|passierte|passiert|kam|gemacht|ausgeführt"
            r"|datei|schritt|sitzung",
        },
    ),
    "fr": Language(
        marks=r"\b(?:quel(?:le)?s?|qu['\u2019]|que|qui|quand|étape)\b|\bqu['\u2019]",
        months="janvier février mars avril mai juin juillet août septembre octobre novembre"
        " décembre",
        step=r"\bétapes? (\d{1,12})",
        weekdays="lundi mardi mercredi jeudi vendredi samedi dimanche",
        words={
            "days_ago": r"il y a (?:\d{1,4}|un|deux|trois) jours?",
            "weeks_ago": r"il y a (?:\d{1,4}|une|deux|trois) semaines?",
            "months_ago": r"il y a (?:\d{1,4}|un|deux|trois) mois",
            "before_yesterday": "avant-hier",
            "yesterday": "hier",
            "today": r"aujourd['\u2019]hui",
            "last_week": r"(?:la )?semaine (?:dernière|passée)",
            "last_month": r"(?:le )?mois (?:dernier|passé)",
            "last_year": r"l['\u2019](?:an|année) derni(?:er|ère)",
            "this_week": "cette semaine",
            "this_month": "ce mois(?:-ci)?",
            "why": r"pourquoi|combien|comment",
            "task": r"tâche|objectif|but|mission",
            "first": r"premi(?:er|ère)s?|d['\u2019]abord|au début",
            "last": r"derni(?:er|ère)s?|à la fin|finalement?",
            "now": r"maintenant|actuel(?:le)?(?:ment)?|en ce moment",
            "since": "depuis",
            "until": r"jusqu['\u2019](?:à|au|en)",
            "after": "après",
            "before": "avant",
            "user": r"utilisat(?:eur|rice)|j['\u2019]ai|je|ma|mon|nous",
            "agent": r"agent|assistant|modèle|tu",
            "command": "commandes?",
            "edit": r"modifiée?s?|modification",
            "error": r"erreurs?|échec|échoué",
            "prompt": r"questions?|requête|demande|consigne",
            "reply": r"réponses?",
            "message": "messages?",
            "said": r"demandée?|dite?|voulu|écrit|répondu",
            "quoted": r"montre|affiche|contient|contenu|texte",
            "filler": r"quel(?:le)?s?|qu['\u2019](?:est-ce que|a)|que|qui|était|étaient|fut|est"
            r"|a|ont|été|la|le|les|l['\u2019]|de|du|des|à|en|un|une|s['\u2019]est|passé|exécutée?"
            r"|fait|fichier|étape|session",
        },
    ),
    "es": Language(
        marks=r"[¿¡]|\b(?:qué|cuál(?:es)?|cuándo|quién|cómo|dónde|paso)\b",
        months="enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre"
        " diciembre",
        step=r"\bpasos? (\d{1,12})",
        weekdays="lunes martes miércoles jueves viernes sábado domingo",
        words={
            "days_ago": r"hace (?:\d{1,4}|un|dos|tres) días?",
            "weeks_ago": r"hace (?:\d{1,4}|una|dos|tres) semanas?",
            "months_ago": r"hace (?:\d{1,4}|un|dos|tres) mes(?:es)?",
            "before_yesterday": "anteayer|antes de ayer",
            "yesterday": "ayer",
            "today": "hoy",
            "last_week": r"(?:la )?semana pasada",
            "last_month": r"(?:el )?mes pasado",
            "last_year": r"(?:el )?año pasado",
            "this_week": "esta semana",
            "this_month": "este mes",
            "why": r"por qué|cuánt[oa]s?|cómo",
            "task": r"tarea|objetivo|encargo|meta",
            "first": r"primer[oa]?s?|al (?:principio|inicio)|inicial(?:mente)?",
            "last": r"últim[oa]s?|al final|final(?:mente)?",
            "now": r"ahora|actual(?:mente)?|en este momento",
            "since": "desde",
            "until": "hasta",
            "after": r"después(?: de)?|tras",
            "before": r"antes(?: de)?",
            "user": r"usuari[oa]|yo|mi|nosotros",
            "agent": r"agente|asistente|modelo|tú",
            "command": r"comandos?|órden(?:es)?|orden",
            "edit": r"editad[oa]s?|modificad[oa]s?|edición",
            "error": r"error(?:es)?|fallos?|falló|fallaron",
            "prompt": r"preguntas?|petición|solicitud|instrucción",
            "reply": r"respuestas?",
            "message": "mensajes?",
            "said": r"pidió|pedí|preguntó|pregunté|dijo|quería|quiso|escribió|respondió|contestó",
            "quoted": r"muestra|dice|contiene|contenido|texto",
            "filler": r"qué|cuál(?:es)?|fue|fueron|era|es|se|ha|el|la|los|las|lo|de|del|a|en|un|una"
            r"|que|pasó|ocurrió|hizo|hicimos|ejecutad[oa]|ejecutó|archivo|paso|sesión",
        },
    ),
    "zh": Language(
        is_spaced=False,
        step=r"第 ?(\d{1,12}) ?步",
        marks=r"[的了吗呢]|什么|多少|哪|谁|怎|吗|几|为何|第\d+步|[\u4e00-\u9fff]\s*[\uff1f?]",
        words={
            "days_ago": r"\d{1,4} ?天(?:之)?前",
            "weeks_ago": r"\d{1,4} ?(?:周|个星期)(?:之)?前",
            "months_ago": r"\d{1,4} ?个月(?:之)?前",
            "before_yesterday": "前天",
            "yesterday": "昨天",
            "today": "今天",
            "last_week": "上周|上个?星期",
            "last_month": "上个?月",
            "last_year": "去年",
            "this_week": "这周|本周|这个星期",
            "this_month": "这个月|本月",
            "why": "为什么|为何|怎么|多少|几次",
            "task": "任务|目标",
            "first": "第一[个次条句]?|最初|最先|首先|一开始|开头",
            "last": "最后(?:一[个次条句])?|最终|最近",
            "now": "现在|目前|当前|最新",
            "after": "之后|以后",
            "before": "之前|以前",
            "user": "用户|我们?",
            "agent": "助手|代理|模型|智能体|你",
            "command": "命令|指令",
            "edit": "编辑|修改",
            "error": "错误|异常|失败|报错",
            "prompt": "问题|请求|要求",
            "reply": "回答|答案|回复|答复",
            "message": "消息",
            "said": "问|说|想要|要",
            "quoted": "内容|显示|写",
            "filler": "什么|哪个|的|了|是|吗|呢|在|执行|运行|做|第|步|发生|一|个",
        },
    ),
    "ja": Language(
        is_spaced=False,
        step=r"ステップ ?(\d{1,12})",
        marks=r"[\u3041-\u3096\u30a1-\u30fa]",
        words={
            "days_ago": r"\d{1,4} ?日前",
            "weeks_ago": r"\d{1,4} ?週間前",
            "months_ago": r"\d{1,4} ?[かヶケ]月前",
            "before_yesterday": "一昨日|おととい",
            "yesterday": "昨日|きのう",
            "today": "今日|きょう",
            "last_week": "先週",
            "last_month": "先月",
            "last_year": "去年|昨年",
            "this_week": "今週",
            "this_month": "今月",
            "why": "なぜ|どうして|何回|いくつ",
            "task": "タスク|課題|目標|目的",
            "first": "最初|初め|はじめ",
            "last": "最後|最終|直近",
            "now": "現在|今|最新",
            "after": "の後|あと",
            "before": "の前",
            "user": "ユーザー?|私",
            "agent": "エージェント|アシスタント|モデル",
            "command": "コマンド",
            "edit": "編集|変更",
            "error": "エラー|失敗|例外",
            "prompt": "質問|依頼|要求|指示",
            "reply": "回答|答え|返事|返答",
            "message": "メッセージ",
            "said": "聞い|尋ね|頼|言|求め",
            "quoted": "内容|表示|書",
            "filler": "[ぁ-ん]+|何|実行|ステップ|起き",
        },
    ),
}
"""Every language by its code; English is always read, because words of it stand everywhere."""

_STEP: Final = re.compile(
    "|".join(one.step for one in LANGUAGES.values() if one.step), re.IGNORECASE
)


def in_english_steps(question: str) -> str:
    """Return a question with the steps that it names in other languages named in English.

    >>> in_english_steps("Was steht in Schritt 4?"), in_english_steps("请显示第12步")
    ('Was steht in step 4?', '请显示 step 12 ')
    """
    return _STEP.sub(
        lambda match: (
            f"{'' if match[0][0].isascii() else ' '}step {match[match.lastindex or 0]}"
            f"{'' if match[0][0].isascii() else ' '}"
        ),
        question,
    )


def spoken(question: str) -> tuple[Language, ...]:
    """Return the languages a question may be in.

    >>> [language.words["last"] for language in spoken("最后的命令是什么")][1][:2]
    '最后'
    """
    lower = question.lower()
    others = tuple(
        language
        for language in LANGUAGES.values()
        if language.marks and re.search(language.marks, lower)
    )
    return (LANGUAGES["en"], *others)


@lru_cache(maxsize=_KEPT)
def words_in(question: str) -> tuple[Word, ...]:
    """Return the words of a question that are understood, in order; none overlaps another.

    >>> [word.concept for word in words_in("What was the last command?")]
    ['last', 'command']
    """
    lower = question.lower()
    if len(lower) != len(question):  # a capital of two characters in lower case
        lower = question
    found: list[Word] = []
    # Of a word that two languages share, the other one's sense counts: "die letzte" is no death.
    for language in reversed(spoken(question)):
        for match in _pattern(language).finditer(lower):
            start, end = match.span()
            if all(end <= one.start or one.end <= start for one in found):
                concept = match.lastgroup or ""
                found.append(Word(concept=concept, start=start, end=end, text=match[0]))
    return tuple(sorted(found, key=lambda word: word.start))


@lru_cache(maxsize=len(LANGUAGES))
def _compiled(language_words: tuple[tuple[str, str], ...], *, is_spaced: bool) -> re.Pattern[str]:
    groups = "|".join(f"(?P<{name}>{words})" for name, words in language_words if words)
    return re.compile(rf"(?<!\w)(?:{groups})(?!\w)" if is_spaced else groups)


def _pattern(language: Language) -> re.Pattern[str]:
    """Return all words of a language as one pattern, made when a question first needs it."""
    return _compiled(tuple(language.words.items()), is_spaced=language.is_spaced)
