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
cashboard caspio censys centralstation centralstationcrm cex·io chartmogul chatfuel checio checkly checklyhq checkvist civo clarifai clearbit clickhelp
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
ipstack jotform jumpcloud jupiterone kairos kanbantool karmacrm keenio
kickbox klaviyo klipfolio knapsackpro kylas languagelayer larksuite last·fm
leadfeeder lemlist lemonsqueezy lendflow lessannoyingcrm lexigram lighton linemessaging linenotify linkpreview liveagent livestorm loadmill
locationiq loginradius logz·io lokalise loyverse lunchmoney macaddress madkudu magicbell mailboxlayer mailerlite mailmodo mailsac mapquest
marketstack mavenlink meaningcloud mediastack meistertask meraki mesibo message·bird meta·api metrilo mindmeister mixmax mockaroo
moderationapi moonclerk moosend mrticktock myintervals nasdaqdatalink nethunt netsuite neutrinoapi newsapi newscatcher new·york·times nftport nicereply
nitropack novu nozbe nozbeteams numverify nutritionix nylas nytimes oanda omnisend onedesk onelogin onepagecrm onfleet oopspam opencage
opencagedata opengraphr opensea openuv open·weather open·weather·map ovh owlbot pagarme pandadoc pandascore paperform paralleldots parsehub
partnerstack passbase pastebin paydirtapp paymo paymoapp paymongo paystack pdflayer pdfshift peopledatalabs pepipost pipedream pipedrive
pivotaltracker pixabay planview planyo plivo podio pollsapi poloniex polymarket positionstack postageapp powrbot private·ai prodpad
prospectcrm proxycrawl purestake pushbullet qase qualaroo qubole quickmetrics railwayapp rapidapi rawg reachmail rebrandly rechargepayments
refiner repairshopr reply·io restpack revampcrm ringcentral ritekit roaring robinhoodcrypto rocketreach roninapp route4me rownd runrunit
runscope salesblink salescookie salesflare salesmate satismeter scrapeowl scraperapi scraperbox scrapersite scrapestack scrapfly
scrapingant scrapingbee screenshotapi screenshotlayer scrutinizerci securitytrails selectpdf sendbird serpapi serphouse serpstack sheety
sherpadesk shipday shodan shopee shotstack shutterstock signalwire signaturit signifyd signupgenius sigopt simfin simplesat simplynoted simvoly sinch
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
ably adobe aerisweather africas·talking aftership agora aha airbyte airship airtable akamai alchemy algolia alibaba alibaba·cloud aliyun alpaca amplitude anthropic api2convert apify apollo appveyor arbiscan artifactory artsy asana atera
atlassian audd auth0 autodesk autopilot avalara azure azure·apim azure·cosmos azure·devops azure·openai azure·search azure·storage bamboo basescan baseten basis·theory beamer binance
bing bitbucket bitget bitgo bitrise blockfrost blogger box braintree brave braze brightdata brightlocal bugsnag buildkite bulbul bunny·cdn bybit calendly
capella chainstack chatbot checkmarket cicero circle circleci clay clickatell clickhouse clockify close
cloudflare cloudsight cloudways cloze coda codacy codeclimate codecov cohere coinbase coin·gecko cometchat confluence confluent
contentful contentstack copper copyscape cosmos cosmosdb couchbase createsend crossbrowsertesting cypress dagster daily·co dandelion dashscope databricks datadog data·gov dd deepinfra deepseek delighted digitalocean discord distribusion ditto dnscheck dnsimple docker dockerhub
docusign doppler dotmailer dropbox duckdns duo duply dynadot dynatrace ecostruxureit eden·ai edusign elastic elasticpath elasticsearch elevenlabs email·octopus enablex
envoy eodhd etsy eversign exoscale facebook fast2sms fastly fastspring feedly figma file·io filestack findl firebase fivetran fixer flagsmith flat·io flickr flowdash flowdock
form·io formstack freshdesk freshworks front fulcrum fullstory gemini gh ghe ghost giphy
gitea github gitlab gitter gladia gnews goodday google goshippo gosquared grafana groove groq guardian gumroad
guru gyazo harvest hcloud heatmapapi helius heroku hetzner heygen hightouch hive holistic honeycomb hubspot huggingface humanity hypeauditor ibm ibm·cloud ideogram iflytek imgix imgur
impala influx influxdb infura intercom iterable jenkins jfrog jira jsonbin jumpseller juro kagi kakao·talk kaleyra kaltura kanban karma keen keygen kimi kite·connect
kontent kraken kucoin lambdalabs langfuse langsmith lark launchdarkly linked·in linode liveblocks lob logdna loggly looker lumalabs luno lusha m3o magnetic mailchimp mailgun mailjet mailosaur mailtrap
mandrill mapbox maptiler mattermost maxmind messari metabase minimax miro mistral mite mixcloud mixpanel mojohelpdesk monkeylearn moonshot moralis msg91 mux namecheap nasa nasdaq naver netcore netlify new·relic newsdata nexmo ngc
ngrok nicehash nightfall nimble nitro nordigen noticeable notion novita  nubela nuget nvidia ocr·space okta ollama omise onbuka onesignal onwater openai opendatasoft openrouter open·route·service openvpn openwhisk opsgenie optidash optimizely orbit overloop oxylabs
packagecloud pagerduty paperspace papertrail parseur particle paypal pdfmyurl pendo percy phrase pinata pinecone plaid playht polygon polygonscan porkbun portainer postbacks posthog postmark privacy processst prospect prospect·io
protocols·io pubnub pusher quickbase quicknode railway rapyd raven razorpay readme reallysimplesystems redbooth rentman replicate requestfinance riot·games rockset rollbar ronin rudderstack runpod runwayml saladcloud salesforce samsara
saucelabs scaleway scalr scrapingdog scw segment sellfy semaphore sendgrid sendoso sentiment sentry serper  shopify shortcut sidekiq signable siliconflow simplybook slack smooch smsapi snyk sonar sonarcloud sonarqube
soundcloud sourcegraph sparkpost speechmatics splunk sport·radar spotify squarespace stability stadiamaps storage·account strava stripe stripo stytch sumo sumo·logic supabase supportbee surveymonkey swell synthesia tailscale
tavily teamcity teamviewer tefter telegram telesign teletype tencent tenderly termii textlocal thirdweb thunderforest timekit tly tokeet travis travis·ci trello trufflehog twilio twist twitch twitter twitter·consumer typeform typetalk unify unkey
unplugg upstash userflow vagrant veevavault vercel verifier vimeo vonage vyte wakatime wandb webengage webex webflow weights·and·biases what3words wiz woopra wordsapi workstack wp·engine xai yandex yelp yext youtube z·ai zendesk
zenhub zerotier zhipu zipbooks zipcodebase zoominfo
`);

/** Of these the names that are words of every text: alone before a value they tell nothing. */
export const wordlikeServices: ReadonlySet<string> = new Set(
  list(`
ably adobe agora apollo bamboo beamer bing blogger box brave braze cicero
circle clay close cloze coda codacy cohere confluence copper cosmos cypress dd delighted discord ditto docker duo duply elastic
envoy figma fixer front fulcrum gemini ghost google grok groove guardian guru harvest hive holistic honeycomb humanity impala influx infura
kanban karma keen kimi kraken lark linkedin lob loggly looker luno m3o magnetic metabase miro mite mux nasa nimble nitro noticeable notion orbit particle percy phrase
polygon postbacks privacy prospect pusher railway rapyd raven readme replicate ronin segment semaphore sentiment shortcut sidekiq slack smooch splunk spotify stability strava stripo
stytch sumo swell tefter tly tokeet twist twitch twitter unify unplugg verifier vimeo wiz workstack youtube
`),
);
