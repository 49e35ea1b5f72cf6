/** General English, by field. Groups are lists of words that may stand for one another. */
export const sameWords = `
husband wife spouse partner
boyfriend girlfriend partner
fiance fiancee engaged engagement
kid child son daughter
baby newborn infant
parent mother father
mom mum mother
dad father
grandma grandmother granny
grandpa grandfather
sibling brother sister
friend buddy pal mate
neighbor neighbour
colleague coworker teammate
boss manager supervisor
marry wedding marriage married
divorce separate split
birth born
die death passed deceased
funeral burial
birthday anniversary
party celebration celebrate
gift present
invite invitation
guest visitor visit
job work career occupation profession employment
hire recruit employ
quit resign leave
fire dismiss layoff
retire pension
salary wage pay income
earn income money sell sold
interview application candidate
degree graduate diploma
university college campus
school class course lesson
teacher instructor coach tutor
student pupil learner
study learn education
exam test
home house flat apartment
live reside residence
move relocate moved
rent lease landlord
hotel accommodation lodging hostel
furniture sofa table chair
kitchen cook cooking
garden yard balcony
repair fix mend
clean wash tidy
car vehicle automobile drive
bike bicycle cycle
train railway rail
plane flight fly airplane
boat ship ferry
trip travel journey vacation holiday
luggage suitcase baggage
passport visa document
map route direction
road street highway
city town
village countryside
country nation
abroad overseas foreign
beach coast seaside sea
mountain hill peak
forest woods
river lake
weather rain snow storm sunny
cold freeze chilly
hot heat warm
summer winter spring autumn season
doctor physician gp
hospital clinic
nurse caregiver
surgery operation operate
medicine medication drug pill prescription
ill sick illness disease
injury injured hurt wound tear torn
pain ache hurt sore
allergy allergic
therapy physio rehabilitation counseling
recover recovery heal healing
sleep insomnia nap
tired exhausted fatigue
healthy fitness fit
weight heavy weigh
tall height
age old
eye glasses vision
tooth dentist dental
hair haircut
diet eat vegetarian vegan
food meal dish eat
breakfast lunch dinner supper
restaurant cafe bar
drink beverage
cake dessert sweet
recipe cook bake
pet animal
dog puppy
cat kitten
adopt adoption rescue shelter
feed food
hobby pastime leisure
sport exercise workout training
run running jog marathon
race marathon competition
prepare train practice
swim swimming pool
climb climbing hike hiking
game play player
team club
win won winner victory prize award
lose lost
book novel read reading
author writer write
movie film cinema
song music band concert
sing singer
instrument guitar piano violin cello drums
dance dancing
art painting paint draw drawing
pottery ceramics clay
photo photograph picture
museum gallery exhibition
theater theatre play
craft handmade
clothes wear outfit dress suit
shoe boot
buy purchase bought
sell sold sale
shop store market
cheap inexpensive
expensive costly
pay paid spend
save saving
gift donate donation charity
volunteer volunteering
happy glad joy
sad unhappy upset
angry annoyed upset mad
afraid scared fear terrified nervous
worry worried anxious
proud pride
surprise surprised
disappointed disappointment
excited thrilled
love like enjoy adore favorite favourite fond
hate dislike
dream goal wish hope ambition
plan intend planning
decide decision choice
idea thought
opinion view think
believe faith religion church
help support assist
advice recommend suggestion suggest tip
encourage inspire inspired motivate motivation
promise commit
remember recall memory
forget forgot
say tell told speak talk
speech talk speak
conversation chat discussion discuss
argue argument quarrel fight
ask question
answer reply respond response
letter mail post
call phone telephone
meet meeting met
join member
leave left quit
arrive arrival come
return back
send sent deliver delivery
receive get
bring carry take
give hand provide
find discover locate
look search seek
see watch notice
hear listen
show demonstrate
hide hidden
keep hold retain store
throw discard
build construct make
create make produce
change alter modify
improve better enhance
worsen worse degrade
grow increase rise
shrink decrease reduce fall
start begin commence launch
finish end complete done
continue resume
stop halt cease quit
wait delay queue
try attempt
succeed success work
fail failure unsuccessful
break broke broken damage
destroy ruin wreck
crack shatter
burn fire
accident incident mishap
problem issue trouble difficulty
mistake error wrong fault
risk danger hazard
safe safety secure
allow permit permitted allowed
forbid forbidden ban prohibit
must require required need mandatory
optional voluntary
avoid prevent
rule policy guideline
law legal
reason why cause
result outcome effect
example instance
kind type sort
part piece component
whole entire full complete
group set
number amount count quantity
percent percentage share
many several multiple
few little
big large huge great
small little tiny
long lengthy
short brief
high tall
near close nearby
far distant
early earlier
late delayed
first initial original
last final latest
often frequent frequently regularly
daily everyday
rare seldom
always constantly
now currently
fast quick rapid
slow sluggish slowly
easy simple
hard difficult tough
good great excellent
bad poor terrible
right correct accurate
wrong incorrect false inaccurate
true real genuine
same identical equal
different other differ
new fresh latest
old former previous
young youth
famous popular
strange odd weird
important crucial significant
empty blank
full filled
open opened
closed shut
clean pure
dirty messy
quiet silent
loud noise noisy
strong powerful
rich wealthy
busy occupied
ready prepared
alone lonely
together jointly
color colour
shape form
name called named
place location spot
area region zone
center centre middle
inside indoor
outside outdoor
night evening overnight
weekend saturday sunday
`;
