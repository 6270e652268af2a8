// Names of services that are no words of code, so that a key beside them is theirs.

/** The names of a list. A dot in the middle stands where people join the parts of a name in several ways. */
const list = (names: string): readonly string[] => names.trim().split(/\s+/);

/** A name as one word. */
export const asOneWord = (name: string): string => name.replaceAll("·", "");

/** A name in every way in which its parts are joined: `customerio`, `customer_io`, `customer-io`, `customer.io`. */
export const spellingsOf = (name: string): readonly string[] =>
  name.includes("·") ? ["", "_", "-", "."].map((sign) => name.replaceAll("·", sign)) : [name];

/**
 * Services whose keys are a run of digits and letters with nothing else to know them by. The rule sets of gitleaks and
 * trufflehog look for them behind the name of the service, which is all that their makers document.
 */
export const keyedServices = list(`
abbysale abstractapi abuseipdb abyssale accuweather adafruit adzuna aeroworkflow ai21 aikido airbrake airvisual aiven alconost alegra
aletheiaapi alienvault allsports alphavantage amadeus ambee anypoint apacta api2cart apideck apiflash apifonica apilayer apimatic
apimetrics apiscience apitemplate appcues appfollow appointedd appoptics appsynergy apptivo assemblyai autoklose avaza aviationstack
axonaut aylien ayrshare bannerbear baremetrics base·api beebole besnappy besttime betterstack billomat bitbar bitcoinaverage bitfinex bitly
bitmex bittrex blablabus blazemeter blitapp blynk bombbomb boostnote borgbase braintreepayments brandfetch browserstack browshot bscscan
buddyns budibase bugherd bulksms buttercms caflou calendarific calorieninja campayn canny cannyio capsulecrm captaindata carboninterface
cashboard caspio censys centralstationcrm cex·io chartmogul chatfuel checio checkly checklyhq checkvist civo clarifai clearbit clickhelp
clicksend clickup cliengo clinchpad clockworksms closecrm cloudant cloudconvert cloudelements cloudimage cloudinary cloudmersive cloudplan
cloudsmith cloverly clustdoc codemagic codequiry coinapi coinlayer coinlib coinmarketcap commercejs commodities·api companyhub configcat
conversiontools convertapi convertkit convier countrylayer coveralls craftmypdf crowdin cryptocompare currencycloud currencyfreaks
currencylayer currencyscoop currentsapi customerguru customer·io cutterly d7network
dareboost databox deepai deepgram deepl deepsecurity demio deputy
detectify detectlanguage deviantart dfuse diffbot diggernaut disqus docparser
documo dovico dronahq drone·ci duosecurity dwolla dynalist dyspatch eagleeyenetworks
easyinsight edamam eightxeight elasticemail endorlabs enigma equinix etherscan ethplorer eventbrite everhour exchangerate exchangeratesapi
exportsdk extractorapi faceplusplus fakejson fastforex feedier fetchrss fibery finage financialmodelingprep finicity finnhub fixerio
fleetbase flexport flightapi flightlabs flightstats flowflu fmfw formbucket formcraft formsite foursquare freemius freshbooks fullcontact
fusebill fxmarket geckoboard gemstash gengo geoapify geocodify geocodio geoipifi
getemail getemails getgeoapi getgist getresponse getsandbox ggshield gitalk gitguardian
glassnode gocanvas godaddy graphcms graphhopper greptile groovehq gtmetrix guardianapi happi happyscribe hasura hellosign helpcrunch helpscout here·api
hiveage holidayapi html2pdf hunterio hybiscus hypertrack iconfinder iexapis iexcloud imagekit imagga infobip infomaniak insightly instabot
instamojo integromat interseller intrinio invoiceocean ip2location ipapi ipdata ipgeolocation ipify ipinfodb ipquality ipqualityscore
ipstack jotform jumpcloud jupiterone kanbantool karmacrm keenio kickbox klaviyo klipfolio knapsackpro kylas languagelayer larksuite last·fm
leadfeeder lemlist lemonsqueezy lendflow lessannoyingcrm lexigram lighton linemessaging linenotify linkpreview liveagent livestorm loadmill
locationiq loginradius logz·io lokalise loyverse lunchmoney macaddress madkudu magicbell mailboxlayer mailerlite mailmodo mailsac mapquest
marketstack mavenlink meaningcloud mediastack meistertask meraki mesibo messagebird meta·api metrilo mindmeister mixmax mockaroo
moderationapi moonclerk moosend mrticktock myintervals nasdaqdatalink nethunt netsuite neutrinoapi newsapi newscatcher nftport nicereply
nitropack nozbe nozbeteams numverify nutritionix nylas nytimes oanda omnisend onedesk onelogin onepagecrm onfleet oopspam opencage
opencagedata opengraphr opensea openuv open·weather open·weather·map ovh owlbot pagarme pandadoc pandascore paperform paralleldots parsehub
partnerstack passbase pastebin paydirtapp paymo paymoapp paymongo paystack pdflayer pdfshift peopledatalabs pepipost pipedream pipedrive
pivotaltracker pixabay planview planyo plivo podio pollsapi poloniex polymarket positionstack postageapp powrbot privateai prodpad
prospectcrm proxycrawl purestake pushbullet qase qualaroo qubole quickmetrics railwayapp rapidapi rawg reachmail rebrandly rechargepayments
refiner repairshopr reply·io restpack revampcrm ringcentral ritekit roaring robinhoodcrypto rocketreach roninapp route4me rownd runrunit
runscope salesblink salescookie salesflare salesmate satismeter scrapeowl scraperapi scraperbox scrapersite scrapestack scrapfly
scrapingant scrapingbee screenshotapi screenshotlayer scrutinizerci securitytrails selectpdf sendbird serpapi serphouse serpstack sheety
sherpadesk shipday shodan shotstack shutterstock signalwire signaturit signupgenius sigopt simfin simplesat simplynoted simvoly
sinchmessage sirv siteleaf skrapp skybiometry smartsheet smarty·streets snipcart softlayer speechtextai spoonacular sportmonks sportsmonk sslmate
statuscake statuspage statuspal stitchdata stockdata storecove stormboard
stormglass storyblok storychief streak sugester supernotes surveyanyplace
surveybot surveysparrow survicate swiftype tallyfy tatum tatumio taxjar teamgate teamworkcrm teamworkdesk teamworkspaces
technicalanalysisapi telnyx testingbot text2data textanywhere textmagic the·odds·api thingsboard thinkific thousandeyes ticketmaster
tickettailor tiingo timecamp timezoneapi tmetric todoist toggl tomorrowio tomtom tradier transferwise travelpayouts twelvedata tyntec
ubidots uclassify unsplash upcdatabase uplead uploadcare upstage uptime·robot upwave urlscan userstack vatlayer vbout verimail veriphone
versioneye viewneo virustotal visualcrossing voiceflow voicegain voodoosms vouchery vpnapi vultr walkscore weatherapi weatherbit
weatherstack web3storage webscraper webscraping websitepulse wechat weixin
wepay whoxy wistia worksnaps worldcoinindex worldweather wrike ynab
youneedabudget yousign zenkit zenrows zenscrape zenserp zeplin zerobounce zipapi zipcodeapi zohocrm zonka zonkafeedback zulipchat
`);

/** Services whose name may as well stand before an id or a hash: there only a name that promises a key tells. */
export const otherServices = list(`
ably adobe agora aha airship airtable alchemy algolia alibaba aliyun amplitude anthropic apify apollo appveyor artifactory artsy asana atera
atlassian audd auth0 autodesk autopilot azure azure·storage bamboo beamer
bing bitbucket bitrise blogger box braintree brave braze bugsnag buildkite bulbul calendly
capella chatbot cicero circle circleci clay clickhouse clockify close
cloudflare cloze coda codacy codeclimate codecov cohere coinbase confluence confluent
contentful copper cosmos cosmosdb couchbase cypress daily·co dandelion databricks datadog datagov dd deepseek delighted digitalocean discord ditto dnscheck docker dockerhub
docusign doppler dotmailer dropbox duo duply dynatrace eden·ai elastic elasticsearch elevenlabs enablex
envoy etsy facebook fastly figma file·io findl firebase flat·io flickr
form·io freshdesk freshworks front fulcrum fullstory gemini gh ghe ghost giphy
gitea github gitlab gitter goodday google grafana groove groq guardian gumroad
guru gyazo harvest hcloud heroku hetzner hive holistic honeycomb hubspot huggingface humanity ibm
impala influx influxdb infura intercom jenkins jfrog jira juro kagi kanban karma kimi
kontent kraken kucoin langfuse langsmith lark launchdarkly linked·in lob logdna loggly looker luno m3o magnetic mailchimp mailgun mailjet
mandrill mapbox mattermost maxmind metabase minimax miro mistral mite mixpanel monkeylearn moonshot moralis mux nasa nasdaq netcore netlify new·relic nexmo ngc
ngrok nightfall nimble nitro noticeable notion nuget nvidia okta ollama onesignal onwater openai openrouter openvpn openwhisk opsgenie optimizely overloop
packagecloud pagerduty papertrail parseur particle paypal percy phrase pinata pinecone plaid polygon portainer postbacks posthog postmark privacy prospect prospect·io
protocols·io pubnub pusher railway rapyd raven razorpay reallysimplesystems rentman replicate requestfinance rollbar runpod saladcloud salesforce
saucelabs scaleway scalr scw segment semaphore sendgrid sentry serper shopify shortcut sidekiq slack smooch snyk sonar sonarcloud sonarqube
soundcloud sourcegraph sparkpost splunk spotify squarespace stability strava stripe stripo stytch sumo·logic supabase surveymonkey swell tailscale
tavily teamcity tefter telegram teletype tly tokeet travis travis·ci trello trufflehog twilio twist twitch twitter typeform typetalk unify
unplugg upstash userflow vagrant vercel vimeo vonage vyte wakatime wandb webex webflow weights·and·biases wiz workstack xai yandex yelp youtube z·ai zendesk
zenhub zerotier zipbooks zipcodebase zoominfo
`);

/** Of these the names that are words of every text: alone before a value they tell nothing. */
export const wordlikeServices: ReadonlySet<string> = new Set(
  list(`
ably adobe agora apollo bamboo beamer bing blogger box brave braze cicero
circle clay close cloze coda codacy cohere confluence copper cosmos cypress dd delighted discord ditto docker duo duply elastic
envoy figma flickr front fulcrum gemini ghost google grok groove guardian guru harvest hive holistic honeycomb humanity impala influx infura
kanban karma kimi kraken lark linkedin lob loggly looker luno m3o magnetic metabase miro mite mux nasa nimble nitro noticeable notion particle percy phrase
polygon postbacks privacy prospect pusher railway rapyd raven replicate segment semaphore shortcut sidekiq slack smooch splunk spotify stability strava stripo
stytch swell tefter tly tokeet twist twitch twitter unify unplugg vimeo wiz workstack youtube
`),
);
