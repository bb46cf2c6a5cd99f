"""Words too common to find anything by, in the spelling that `normalise` gives."""

from __future__ import annotations

from dalil.text.normalizing import normalise

ENGLISH = frozenset(
    """
    a about above after again against all also am an and any are as at be because been before being below between
    both but by can could did do does doing done down during each either else ever few for from further get got had
    has have having he her here hers herself him himself his how however i if in into is it its itself just let many
    may me might more most much must my myself neither no nor not now of off on once one only or other our ours
    ourselves out over own per same shall she should since so some such than that the their theirs them themselves
    then there these they this those through thus to too under until up upon us very was we were what when where
    whether which while who whom whose why will with within without would yet you your yours yourself yourselves
    dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt im ive id ill youre theyre
    """.split()
)

_ARABIC_WORDS = """
    في من على إلى الى عن مع هذا هذه ذلك تلك هؤلاء أولئك الذي التي الذين اللذين اللتين اللاتي اللواتي اللذان اللتان
    ما ماذا من متى أين كيف كم لماذا لم لن لا ليس ليست ليسوا هل أي أية أيها و أو أم ثم بل لكن لكنه لكنها إن أن إذا إذ
    إذن كان كانت كانوا يكون تكون يكونون كن كل كلا كلتا بعض غير سوى حتى حيث حين حينما عندما عند لدى قد لقد سوف كما
    كذلك هو هي هم هن هما أنا نحن أنت أنتم أنتن انتما له لها لهم لهما لهن لي لك لكم لنا به بها بهم بهما بنا بك فيه فيها
    فيهم فيهما منه منها منهم منهما عنه عنها عنهم عليه عليها عليهم إليه إليها إليهم معه معها معهم بين بينما خلال ضمن
    نحو منذ مثل أيضا أيضًا فقط ذات ذو ذا هنا هناك هنالك أما إما إنه إنها أنه أنها أنهم لأن لأنه لأنها كأن ولكن والتي
    والذي وهو وهي وهم وقد ولا ولم وما وكان وكانت ومن وفي وعلى وإلى وعن ومع فإن فقد فهو فهي كانا بأن بعد قبل فوق تحت
    حول دون بدون عبر ضد لما مما عما فيما بما كي لكي ألا إلا يا أحد إحدى
    ايش شو وش ليش وين شلون كيفاش إيه ايه ازاي فين امتى علشان عشان اللي دي ده دا دول مش مو
"""
ARABIC = frozenset(normalise(_ARABIC_WORDS).split())
