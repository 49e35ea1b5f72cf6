/** Words that carry no subject. Negations are read from the text itself, so they may stand here. */
const words = `a an the this that these those there here it its itself he him his she her hers they them their theirs
we us our ours you your yours i me my mine myself one ones someone somebody anyone anybody everybody everyone
something anything everything nothing who whom whose which what when where why how whether
and or but nor so yet if then else than as because since until unless while though although
of at by for with about against between into through during before after above below to from up down in out on off
over under again further once upon within without via per toward towards onto
is am are was were be been being do does did doing done have has had having will would shall should can could may might must
ought let lets get gets got getting
not no none never neither dont doesnt didnt isnt arent wasnt werent cant cannot couldnt wont wouldnt shouldnt
very too also just only even still already ever else more most much many some any all both each every few such own same
other another now thing things way ways ok yes please tell know need needs want wants like
s t d ll m re ve vs etc eg ie`;

const stopWords: ReadonlySet<string> = new Set(words.split(/\s+/));

export const isStopWord = (word: string): boolean => stopWords.has(word);
