/** Forms no rule of endings leads back to their word: each line is the word, then its forms. */
const forms = `
be is are was were been being am
go went gone goes
do did done does
have has had
buy bought
bring brought
think thought
teach taught
catch caught
seek sought
fight fought
make made
take took taken
give gave given
get got gotten
see saw seen
say said
tell told
know knew known
grow grew grown
throw threw thrown
draw drew drawn
show showed shown
fly flew flown
blow blew blown
write wrote written
drive drove driven
ride rode ridden
rise rose risen
choose chose chosen
freeze froze frozen
speak spoke spoken
break broke broken
steal stole stolen
wake woke woken
wear wore worn
tear tore torn
swear swore sworn
forget forgot forgotten
hide hid hidden
bite bit bitten
fall fell fallen
eat ate eaten
begin began begun
drink drank drunk
ring rang rung
sing sang sung
sink sank sunk
swim swam swum
run ran
come came
become became
find found
bind bound
hold held
stand stood
understand understood
sell sold
send sent
spend spent
build built
lend lent
bend bent
lose lost
leave left
keep kept
sleep slept
feel felt
deal dealt
mean meant
meet met
lead led
feed fed
sit sat
win won
hang hung
stick stuck
strike struck
dig dug
spin spun
shoot shot
shrink shrank shrunk
hear heard
pay paid
lay laid
forbid forbade forbidden
overwrite overwrote overwritten
override overrode overridden
child children kid kids
person people
man men
woman women
foot feet
tooth teeth
mouse mice
index indices indexes
vertex vertices
matrix matrices
analysis analyses
datum data
wife wives
life lives
knife knives
good better best
bad worse worst
colour color colours colors
catalogue catalog catalogs catalogues
licence license licences licenses
centre center centers centres
behaviour behavior behaviours behaviors
favourite favorite favorites favourites
analyser analyzer analysers analyzers
grey gray
programme program
`;

const wordOf: ReadonlyMap<string, string> = new Map(
  forms
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [word = '', ...others] = line.split(' ');
      return others.map((other) => [other, word] as const);
    }),
);

/** The dictionary form of an irregular word, and one spelling for the endings British and American English differ in. */
export function dictionaryForm(word: string): string {
  const known = wordOf.get(word);
  if (known !== undefined) return known;
  return word.replace(/(?<=[a-z]{4})is(?=(?:e|ed|es|er|ing|ation|ations)$)/, 'iz');
}
