"""A text layer that is not what the page shows is noticed; every readable page passes."""

from __future__ import annotations

import base64
import hashlib
import os
import string
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.parsing.formats.pdf.engine import LOCK
from dalil.parsing.formats.pdf.garbled import is_garbled

ENGLISH = (
    "The quarterly report describes the results of operations and the financial condition of the company. "
    "Revenue increased compared with the previous year, mainly because customers bought more services in "
    "every region. Operating expenses grew more slowly than revenue, since fewer people were hired and "
    "travel was reduced. The board approved a dividend and asked management to prepare a plan for the "
    "coming winter, which shareholders will discuss when they gather in the capital. Nothing in this "
    "document should be taken as a promise about future performance."
)
ARABIC = (
    "يعد العمل التطوعي من أهم الوسائل المستخدمة للمشاركة في النهوض بمكانة المجتمعات في عصرنا الحالي، وهو "
    "من القيم الإنسانية التي حثت عليها الأديان كلها، إذ يكتسب أهمية كبيرة في حياة الناس كما أنه يزيد من "
    "قوة العلاقات بين أفراد المجتمع. وقد ظهرت في السنوات الأخيرة مؤسسات كثيرة تعمل على تنظيم جهود "
    "المتطوعين وتوجيهها إلى المناطق التي تحتاج إلى المساعدة، سواء في مجال التعليم أو الصحة أو حماية "
    "البيئة. ولا يقتصر هذا العمل على فئة عمرية معينة، بل يشارك فيه الشباب والكبار على حد سواء، وهو ما "
    "يجعل منه مدرسة يتعلم فيها الإنسان الصبر والتعاون واحترام الآخرين، ثم ينقل ما تعلمه إلى أسرته "
    "وأصدقائه في كل مكان. وتشير الدراسات إلى أن المتطوع يشعر بسعادة حقيقية عند خدمة غيره، وهذه السعادة "
    "تنعكس على صحته وعلى قدرته على مواجهة المشكلات اليومية."
)
PERSIAN = (
    "زبان فارسی یکی از زبان‌های ایرانی است که در کشورهای ایران، افغانستان و تاجیکستان به آن سخن می‌گویند. "
    "این زبان در گذشته در بخش بزرگی از آسیا زبان ادبیات و دیوان بوده است و شاعران بزرگی مانند فردوسی و "
    "حافظ و سعدی و مولوی به آن شعر سروده‌اند. امروزه پژوهشگران بسیاری در دانشگاه‌های جهان درباره تاریخ و "
    "دستور این زبان کار می‌کنند و هر سال کتاب‌های تازه‌ای درباره آن چاپ می‌شود. "
)
URDU = (
    "اردو برصغیر کی ایک اہم زبان ہے جو پاکستان کی قومی زبان ہے اور ہندوستان کی کئی ریاستوں میں بھی بولی "
    "جاتی ہے۔ اس زبان میں شاعری اور نثر کا ایک بڑا ذخیرہ موجود ہے اور میر، غالب اور اقبال جیسے شاعروں نے "
    "اسے دنیا بھر میں مشہور کیا۔ آج کل اردو کے اخبار اور رسالے کئی ملکوں سے شائع ہوتے ہیں اور ٹیلی ویژن "
    "پر بھی یہ زبان بہت سنی جاتی ہے۔ "
)
NAMES = (
    "محمد احمد علي حسن حسين ابراهيم خالد عمر يوسف مصطفى فاطمة زينب عائشة مريم سارة نور هدى سعاد طارق ياسر "
    "سعيد كريم جمال كمال نبيل هشام وليد ماجد رامي سامي عادل فؤاد بدر زياد أنس بلال حمزة سليمان داود موسى "
    "عيسى يحيى زكريا إسماعيل إسحاق يعقوب أيوب صالح هود لقمان ذكي شريف لطفي منير منصور ناصر نصر فهد سلطان "
    "تركي بندر مشعل نواف فيصل سعود عبدالعزيز عبدالله عبدالرحمن رضا مجدي حاتم أسامة أيمن أشرف عصام علاء "
    "ضياء صلاح سيف عزت رفعت شوكت حكمت طلعت مدحت ثروت نعمت جودت ليلى منى سلمى نجوى رباب أمل إيمان هناء "
    "وفاء صفاء دعاء رجاء"
)
# The first article of the Universal Declaration of Human Rights.
LANGUAGES = {
    "Polish": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni "
    "rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa",
    "Czech": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím "
    "a mají spolu jednat v duchu bratrství",
    "Finnish": "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu "
    "järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä",
    "Hungarian": "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és "
    "lelkiismerettel bírván, egymással szemben testvéri szellemben kell hogy viseltessenek",
    "Turkish": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve "
    "birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler",
    "Welsh": "Genir pawb yn rhydd ac yn gydradd â'i gilydd mewn urddas a hawliau. Fe'u cynysgaeddir â rheswm a "
    "chydwybod, a dylai pawb ymddwyn y naill at y llall mewn ysbryd cymodlon",
    "Indonesian": "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal "
    "dan hati nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan",
    "Vietnamese": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều "
    "được tạo hóa ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu",
}


GENES = str.maketrans("0123456789abcdef", "ACGT" * 4)


def shifted(text: str, by: int) -> str:
    """Letters taken for others further on in the alphabet."""
    lower, upper = string.ascii_lowercase, string.ascii_uppercase
    table = str.maketrans(lower + upper, lower[by:] + lower[:by] + upper[by:] + upper[:by])
    return text.translate(table)


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH.translate({code: code - 29 for code in range(61, 127)}),
        shifted(ENGLISH, 1),
        shifted(ENGLISH, 19),
        ENGLISH.translate({code: 0xE000 + code for code in range(33, 127)}),
        ENGLISH.translate(dict.fromkeys(range(97, 127), 0xFFFD)),
        ENGLISH.translate({code: code - 96 for code in range(97, 127)}),
        "\n".join(f"&{number}+!!'#$%>\"(;@#&!?%$<^\\:/'+" for number in range(20)),
        " ".join(word[::-1] for word in ARABIC.split()),
        ARABIC.translate(str.maketrans("اليتمنوهةدسعب", "خوطعبياظتصشحك")),
    ],
)
def test_what_nobody_can_read_is_garbled(text: str):
    assert is_garbled(text)


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        ENGLISH.upper(),
        ARABIC,
        ARABIC + PERSIAN,
        PERSIAN * 3,
        PERSIAN.replace("ی", "ي").replace("ک", "ك") * 3,
        URDU * 3,
        NAMES,
        "محمد بن الحسن بن يوسف بن علي " * 40,
        ENGLISH + ARABIC,
        "",
        "7KH",
        "\ue000\ue001\ue002 three signs of their own",
        "• \uf0b7 First point\n\uf0b7 Second point\n\uf0a7 Third point, which is a little longer",
        " ".join(f"{number:,} {number * 37:,}.{number % 100:02d}" for number in range(1000, 1400)),
        "Contents " + " ".join(f"Chapter {number} {'.' * 60} {number * 9}" for number in range(40)),
        " ".join(hashlib.sha256(bytes([number])).hexdigest() for number in range(60)),
        base64.b64encode(hashlib.sha512(b"x").digest() * 40).decode(),
        " ".join(hashlib.sha1(bytes([number])).hexdigest() for number in range(50)).translate(GENES),
    ],
)
def test_what_can_be_read_is_not(text: str):
    assert not is_garbled(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_languages_pass(language: str):
    assert not is_garbled(LANGUAGES[language])
    every_word = " ".join(text for name, text in LANGUAGES.items() if name != language)
    assert not is_garbled(f"{LANGUAGES[language]} {every_word}")


@given(st.text(max_size=19))
def test_short_texts_pass(text: str):
    assert not is_garbled(text)


@given(st.text())
def test_any_text_gets_an_answer(text: str):
    assert is_garbled(text * 50) in (True, False)


DATA = Path(os.environ.get("DALIL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


def pages_of(folder: str) -> list[tuple[str, str]]:
    """The text of every page of a folder's PDF files that open without a password, as PDFium gives it."""
    found: list[tuple[str, str]] = []
    for path in sorted((DATA / folder).glob("*.pdf")):
        with LOCK:
            try:
                document = pypdfium2.PdfDocument(path)
            except pypdfium2.PdfiumError:
                continue
            for number, page in enumerate(document, 1):
                textpage = page.get_textpage()
                found.append((f"{path.name} {number}", textpage.get_text_range()))
                textpage.close()
                page.close()
            document.close()
    if not found:
        pytest.skip(f"the folder {folder} is not here; DALIL_DATA names the folder that holds it")
    return found


@pytest.mark.parametrize(("folder", "garbled"), [("documents", ["right_to_left_02.pdf 1"]), ("sec-10q-pdf/pdfs", [])])
def test_of_the_real_pages_one_is_garbled(folder: str, garbled: list[str]):
    assert [name for name, text in pages_of(folder) if is_garbled(text)] == garbled
