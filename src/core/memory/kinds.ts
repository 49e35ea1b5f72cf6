/** A kind and some that are of it: who asks for the kind may be answered by one of them. */
export const kinds = `
family: mother father sister brother son daughter parent grandmother grandfather cousin uncle aunt wife husband
relative: cousin uncle aunt nephew niece grandmother grandfather
pet: dog cat puppy kitten rabbit hamster turtle fish bird parrot horse guinea
animal: dog cat horse bird fish cow sheep bear fox wolf whale dolphin turtle snake
hobby: painting drawing pottery knitting gardening photography fishing hiking camping climbing cycling running swimming dancing reading chess cooking baking yoga
sport: football soccer basketball tennis volleyball swimming running cycling climbing skiing yoga gym boxing hockey
exercise: run running gym yoga swim cycling hike
race: marathon 10k 5k triathlon sprint
instrument: guitar piano violin cello drums flute trumpet clarinet saxophone
music: song band concert guitar piano violin jazz rock
art: painting sculpture drawing pottery photography ceramics
book: novel series author fantasy
food: pizza pasta bread rice soup salad cheese fruit chocolate nut egg meat fish cake
drink: coffee tea beer wine water juice
diet: vegetarian vegan gluten keto
meal: breakfast lunch dinner
illness: flu cold cancer diabetes asthma fever
injury: sprain fracture torn broken
medicine: pill antibiotic insulin tablet aspirin
doctor: surgeon dentist therapist nurse
profession: nurse teacher engineer doctor lawyer chef artist programmer musician accountant
career: nurse teacher engineer doctor lawyer chef artist programmer
vehicle: car truck bus bike van motorcycle lorry
car: ford toyota honda bmw tesla volkswagen electric
clothing: shirt jacket dress suit shoe hat coat jeans
furniture: sofa chair table bed shelf
building: house school church tower office
holiday: christmas easter halloween thanksgiving
season: spring summer autumn winter
weather: rain snow wind storm sun
feeling: happy sad angry afraid proud nervous disappointed
document: passport visa licence certificate
pastry: cake pie cookie
language: english german french spanish rust go python java typescript kotlin polish
database: postgres mysql sqlite mongodb redis oracle
queue: kafka rabbitmq sqs nats redis
cloud: aws azure gcp hetzner
browser: chrome firefox safari
editor: vim vscode emacs
ci: jenkins github gitlab circleci
monitoring: grafana prometheus datadog
laptop: macbook mac apple windows
mac: macbook apple macos
os: linux windows macos android ios
mobile: android ios phone
carrier: dhl ups fedex telekom
payment: stripe paypal
framework: react vue svelte angular django rails spring
orchestrator: kubernetes nomad airflow
`;

/** Countries with the words for their people and some of their cities: who asks about one may be answered by the other. */
export const countries = `
portugal portuguese lisbon porto
spain spanish madrid barcelona valencia
france french paris lyon marseille
italy italian rome milan naples turin
germany german berlin munich hamburg cologne frankfurt
netherlands dutch holland amsterdam rotterdam
belgium belgian brussels antwerp
switzerland swiss zurich geneva basel
austria austrian vienna salzburg
poland polish warsaw krakow
czechia czech prague brno
romania romanian bucharest
hungary hungarian budapest
greece greek athens
turkey turkish istanbul ankara
sweden swedish stockholm
norway norwegian oslo
denmark danish copenhagen
finland finnish helsinki
ireland irish dublin
england english london manchester
scotland scottish edinburgh glasgow
uk britain british london
usa american america york chicago boston seattle
canada canadian toronto vancouver montreal
mexico mexican
brazil brazilian rio
argentina argentinian
japan japanese tokyo kyoto osaka
china chinese beijing shanghai
india indian delhi mumbai bangalore
korea korean seoul
australia australian sydney melbourne
russia russian moscow
ukraine ukrainian kyiv
egypt egyptian cairo
iran persian tehran
israel israeli
africa african
`;
