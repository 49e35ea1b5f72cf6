/** Words an engineer uses for about the same. Groups are lists of words that may stand for one another. */
export const sameAtWork = `
submit submission upload
reject rejected refuse refused
accept approve confirm approved
review reviewer approval approver
sign signature signed
verify check validate validation
certificate cert
renew renewal extend
expire expired lapse outdated
deadline due
limit cap threshold maximum quota bound
exceed surpass
throttle ratelimit backoff
overload overwhelm flood
timeout hang stuck hung frozen
freeze block lock blocked locked
wait queue backlog
parallel concurrent concurrently simultaneously once
sequence order
twice double duplicate again
merge combine join
split separate partition
copy duplicate clone
move migrate transfer switch
convert transform translate
sync synchronize
export output
import input load ingest
upload download
read fetch load
write save store
delete drop remove erase purge prune
clear empty purge wipe reset
rebuild regenerate recreate reindex recompile
compile build
generate produce generated
install setup
uninstall remove
enable activate
disable deactivate
toggle flag switch
rollback revert undo back
rollout release deploy ship publish promote
version release
upgrade update bump
deprecated obsolete legacy
replace swap substitute successor
failover switchover leader primary
standby replica secondary
datacenter region zone
disaster recovery drill
outage downtime incident
alert alarm page pager notification
oncall pager
monitor observability monitoring
dashboard chart graph
metric measure figure
trace tracing span
log logging
debug diagnose investigate
reproduce repro
random randomly flaky intermittent
deterministic reproducible
accurate accuracy precise error
estimate prediction predict forecast eta
model classifier network
train training
evaluate evaluation metric benchmark
dataset data
warehouse lake
report summary
record entry row
field column attribute
index search
key id identifier
hash digest checksum
encrypt cipher
password secret credential token
permission access privilege
login authenticate authentication identify
tenant customer account
user customer client
partner vendor supplier
device hardware gadget
sensor tracker tag
battery power energy
printer print label
phone mobile handset
laptop computer machine notebook
server host machine box
cloud hosting hosted
network connection connect
proxy gateway balancer
protocol transport
port listen
message event notification
topic channel
worker consumer
producer publisher
job task batch workflow
cron schedule nightly periodic
script command
tool utility
library dependency package module sdk
client sdk
framework platform
language written implemented
file document
folder directory path
disk storage space
memory ram heap
cpu processor core
gpu card accelerator
cache cached
latency delay slow
throughput rate
performance speed fast
size large big
height width dimension
unit measure
currency money amount
price rate cost tariff
price quote
bill invoice
budget spending cost spend
fee surcharge charge
discount rebate
tax vat
order purchase
parcel package shipment delivery
address street
courier driver carrier
truck lorry van vehicle
warehouse depot
calendar holiday schedule
timezone utc clock
test spec suite
assertion expect
mock stub
browser chrome
page screen view
button click
form field
style css design
layout grid
text copy wording
translation locale language
tone formal style
comment note remark
ticket issue task
priority urgent
owner responsible maintainer
team squad
office site
standup meeting
contract agreement
supplier vendor provider
audit compliance
privacy gdpr personal
erase erasure
backup dump snapshot
restore recover
anonymize anonymised anonymous masked
laptop local locally
environment stage
staging preproduction
production live prod
branch trunk
commit change
request call
response reply answer
error exception failure
crash abort panic
restart reboot
start boot launch up
subset part some
config setting option
default standard
variable parameter
function method
class type
interface api contract
constraint rule
mandatory required
nullable optional
transaction commit
migration schema
query select
join merge
`;
