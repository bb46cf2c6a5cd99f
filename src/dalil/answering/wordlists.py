"""Words by what they do in a question, in English and Arabic, as `normalise` spells them or as search tokens."""

from __future__ import annotations

from dalil.text import analyze, normalise
from dalil.text.stemming import is_arabic


def word_set(words: str) -> frozenset[str]:
    """A list of words as they are compared."""
    return frozenset(normalise(words).split())


ASKING = word_set("what which who whom whose when where why how")
VERBS = word_set(
    "is are was were am be do does did can could will would shall should may might must has have had "
    "isn aren wasn weren don doesn didn can't couldn won wouldn shouldn hasn haven hadn"
)
ARABIC_ASKING = word_set(
    "ما ماذا متى أين كيف كم لماذا هل أي أية بأي لأي ماهو ماهي مالذي ماالذي لمن بمن عمن بماذا بكم لم "
    "ليش ليه شو ايش وش وين فين ازاي امتى"
)
PREPOSITIONS = word_set("for in at on with without from by to of during about under after before than among as")
ARABIC_PREPOSITIONS = word_set("في على عن من مع إلى عند بعد قبل خلال بدون بالنسبة ضمن لدى بين")


def token_set(words: str) -> frozenset[str]:
    """The search tokens of a list of words; Arabic ones also as they stand before a pronoun (وزن, وزنه; مدة, مدته)."""
    opened = [
        f"{word[:-1]}ته" if word.endswith("ة") else f"{word}ه" for word in words.split() if is_arabic(normalise(word))
    ]
    return frozenset(analyze(" ".join([words, *opened])))


RELATIONAL = token_set(
    """
    price cost fee charge rate tariff size weight height length width depth capacity speed duration period deadline
    date age limit amount percentage salary budget value capital population area location address headquarters phone
    email website name author founder owner inventor manufacturer director manager ceo president chairman leader
    winner members color colour version type kind category features specifications specs advantages disadvantages
    benefits drawbacks pros cons risks dangers effects impact consequences results outcome reasons causes purpose goal
    objective aim role function difference similarity conditions requirements rules exceptions restrictions penalty
    procedure process steps method way solution alternatives options warranty guarantee refund discount payment
    delivery shipping symptoms treatment ingredients history origin future meaning definition status eligible
    responsible included required covered excluded allowed permitted available expensive cheap free
    سعر أسعار ثمن تكلفة كلفة رسوم رسم حجم وزن طول عرض ارتفاع سعة سرعة مدة فترة موعد تاريخ عمر سن حد مبلغ نسبة راتب
    ميزانية قيمة عاصمة سكان مساحة موقع مكان عنوان مقر هاتف بريد اسم مؤلف مؤسس مالك مخترع مصنع مدير رئيس قائد فائز
    أعضاء لون إصدار نوع أنواع فئة ميزة مزايا مميزات مواصفات فوائد فائدة عيوب أضرار مخاطر آثار تأثير نتائج نتيجة سبب
    أسباب هدف أهداف غرض دور وظيفة فرق شروط شرط متطلبات قواعد استثناءات قيود عقوبة غرامة إجراءات خطوات طريقة حل حلول
    بدائل خيارات ضمان استرجاع خصم دفع توصيل شحن أعراض علاج مكونات نشأة أصل مستقبل معنى تعريف حالة مسموح متاح متوفر
    مجاني مشمول مطلوب
    """
)
"""Nouns and predicates that say nothing without what they belong to."""

GENERIC = token_set(
    """
    number main important best worst exact total maximum minimum average different new current overall major key side
    biggest largest common basic possible specific general long short high low big small far old often soon work
    happen exist consider need want know say said use used get give tell show list explain describe elaborate clarify
    summarize summarise continue compare define detail details further example information info mean means please
    thanks thank yes yeah yep okay ok sure well hello hi hey question answer else another others same also too right
    thing things lot understand think help find like go make take
    عدد أهم أفضل أسوأ إجمالي أقصى أدنى أعلى أقل متوسط مختلف جديد حالي رئيسية رئيسي أكبر أكثر شائع ممكن يمكن يمكنني
    يمكنك تستطيع أستطيع يستطيع يجب ينبغي يعمل تعمل يحدث يوجد توجد أريد أحتاج أعرف قل أخبرني اخبرني أعطني اعطني اشرح
    وضح فصل لخص أكمل تابع قارن عرف تفاصيل مزيد المزيد مثال أمثلة معلومات يعني تقصد فضلك لطفا شكرا نعم أجل طيب حسنا
    ماهو ماهي مالذي بأي لأي تم يتم تمت تتم تمام سؤال جواب آخر أخرى أيضا نفس شيء أشياء فهمت أفهم
    """
)
"""Words of talking, and measures: nothing is found by them."""
