import { dictionaryForm } from './irregular.ts';
import { countries, kinds } from './kinds.ts';
import { stem } from './stem.ts';
import { sameAtWork } from './synonyms-at-work.ts';

/** Words that mean the same to an engineer, one group a line. */
const same = `
db database
repo repository
config configuration settings setting configure
auth authentication authenticate login signin
authorization authz permission
deps dependency
env environment
prod production
dev development
docs documentation doc document
perf performance
msg message
req request
res response
params parameter argument
var variable
func function
impl implementation implement
spec specification
admin administrator
app application
info information
err error
temp temporary
max maximum limit
min minimum
num number count
id identifier
img image picture photo
pic picture photo
k8s kubernetes
postgres postgresql pg
js javascript
ts typescript
golang go
py python
ci pipeline
ui interface frontend
i18n translation localization locale l10n
a11y accessibility
mail email
catalog catalogue
dir directory folder
delete remove erase
create make add
fix repair resolve solve
bug defect issue
start boot launch startup
stop halt terminate
restart reboot bounce
crash die abort
fail failure error broken break
outage downtime unavailable down
flaky intermittent unstable nondeterministic
slow latency sluggish
fast quick speed
deploy deployment rollout ship release
rollback revert undo
ticket issue
job task
worker background
cron schedule scheduled nightly
test spec
mock stub fake
secret credential password key token
leak expose exposed disclose
encrypt encryption tls
cert certificate
purge invalidate flush evict
cache caching cached
ram memory
cpu processor
disk storage
restore recover recovery
backup snapshot dump
retention keep retain kept
retry reattempt
throttle ratelimit quota limit
server host machine
container pod docker
instance replica node
cluster fleet
merge land
commit changeset
branch trunk
master main
lib library package
method function
endpoint route url
bucket s3
table relation
column field attribute
row record entry
schema migration
query sql
lock mutex
queue topic
vendor provider supplier
customer client user
employee staff
team group
lead manager boss
approve approval
reject refuse deny decline
like prefer enjoy love favourite
hate dislike annoy
price cost expensive
money budget dollar euro
bill invoice
pay payment
refund return
cart basket
sum total amount
penny cent
voucher coupon giftcard
vacation holiday
illness sick
injury hurt wound
phone mobile smartphone
vpn wireguard tunnel
big large huge
small tiny little
wrong incorrect
duplicate twice double
old previous former
new recent
begin start
end finish complete
show display
choose select pick
contact reach ping
replace substitute
happen occur
cause reason
guide tutorial
link url
picture avatar
job career profession
mom mother
dad father
buy purchase
sell sale
trip travel journey
movie film
doctor physician
car vehicle
house home
`;

type Table = Map<string, Set<string>>;

const termsIn = (line: string): string[] => line.split(/[: ]+/).map((word) => stem(dictionaryForm(word)));

function pair(table: Table, term: string, other: string): void {
  if (term === other) return;
  const known = table.get(term) ?? new Set<string>();
  known.add(other);
  table.set(term, known);
}

/** Every word of a line with every other. */
function tableOf(text: string): Table {
  const table: Table = new Map();
  for (const line of text.trim().split('\n')) {
    const terms = termsIn(line);
    for (const term of terms) for (const other of terms) pair(table, term, other);
  }
  return table;
}

/** The first word of a line with every other, both ways, but not those with one another. */
function kindsOf(...texts: readonly string[]): Table {
  const table: Table = new Map();
  for (const line of texts.flatMap((text) => text.trim().split('\n'))) {
    const [kind = '', ...some] = termsIn(line);
    for (const one of some) {
      pair(table, kind, one);
      pair(table, one, kind);
    }
  }
  return table;
}

/** From a term to the terms that mean the same. */
export const synonymsOf: ReadonlyMap<string, ReadonlySet<string>> = tableOf(same);
/** From a term to terms that mean about the same in some of its senses. */
export const looseOf: ReadonlyMap<string, ReadonlySet<string>> = tableOf(sameAtWork);
/** From a term to the terms that hint at it. */
export const hintsOf: ReadonlyMap<string, ReadonlySet<string>> = kindsOf(kinds, countries);
