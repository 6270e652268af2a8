// Names of services that are no words of code, so that a key beside them is theirs.

const list = (names: string): readonly string[] => names.trim().split(/\s+/);

/**
 * Services whose keys are a run of digits and letters with nothing else to know them by. The rule sets of gitleaks and
 * trufflehog look for them behind the name of the service, which is all that their makers document.
 */
export const keyedServices = list(`
abbysale abstractapi abuseipdb abyssale accuweather adafruit adzuna aeroworkflow airbrake airvisual aiven alconost alegra aletheiaapi
alienvault allsports alphavantage amadeus ambee anypoint apacta api2cart apideck apiflash apifonica apilayer apimatic apimetrics apitemplate
appcues appfollow appointedd appoptics appsynergy apptivo assemblyai autoklose avaza aviationstack axonaut aylien ayrshare bannerbear
baremetrics baseapi beebole besnappy besttime betterstack billomat bitbar bitcoinaverage bitfinex bitly bitmex bittrex blablabus blazemeter
blitapp blynk bombbomb boostnote borgbase braintreepayments brandfetch browserstack browshot bscscan buddyns budibase bugherd bulksms
buttercms caflou calendarific calorieninja campayn cannyio capsulecrm carboninterface cashboard caspio censys centralstationcrm cexio
chartmogul chatfuel checklyhq checkvist clarifai clearbit clickhelp clicksend clickup cliengo clinchpad clockworksms closecrm cloudant
cloudconvert cloudelements cloudimage cloudmersive cloudplan cloudsmith cloverly clustdoc codemagic codequiry coinapi coinlayer coinlib
coinmarketcap commercejs companyhub conversiontools convertapi convertkit convier countrylayer coveralls craftmypdf crowdin cryptocompare
currencycloud currencyfreaks currencylayer currencyscoop currentsapi customerguru customerio cutterly d7network dareboost databox deepai
deepgram deepl demio deputy detectify detectlanguage dfuse diffbot diggernaut disqus docparser documo dovico dronahq droneci dwolla dynalist
dyspatch eagleeyenetworks easyinsight edamam eightxeight elasticemail endorlabs enigma etherscan ethplorer eventbrite everhour exchangerate
exchangeratesapi exportsdk extractorapi faceplusplus fakejson fastforex feedier fetchrss fibery finage financialmodelingprep finicity
finnhub fixerio fleetbase flexport flightapi flightlabs flightstats flowflu fmfw formbucket formcraft formsite foursquare freemius
freshbooks fullcontact fxmarket geckoboard gengo geoapify geocodify geocodio geoipifi getemails getgeoapi getgist getresponse getsandbox
gitalk glassnode gocanvas graphcms graphhopper groovehq gtmetrix guardianapi happyscribe hellosign helpcrunch helpscout hereapi hiveage
holidayapi html2pdf hunterio hybiscus hypertrack iconfinder iexapis iexcloud imagekit imagga infobip insightly instabot instamojo integromat
interseller intrinio invoiceocean ip2location ipapi ipdata ipgeolocation ipify ipinfodb ipquality ipstack jotform jumpcloud jupiterone
kanbantool karmacrm keenio kickbox klaviyo klipfolio knapsackpro kylas languagelayer larksuite lastfm leadfeeder lemlist lemonsqueezy
lendflow lessannoyingcrm lexigram linemessaging linenotify linkpreview liveagent livestorm loadmill locationiq loginradius logzio lokalise
loyverse lunchmoney macaddress madkudu magicbell mailboxlayer mailerlite mailmodo mailsac mapquest marketstack mavenlink meaningcloud
mediastack meistertask meraki mesibo messagebird metaapi metrilo mindmeister mixmax mockaroo moderationapi moonclerk moosend mrticktock
myintervals nasdaqdatalink nethunt netsuite neutrinoapi newsapi newscatcher nftport nicereply nitropack nozbeteams numverify nutritionix
nylas nytimes oanda omnisend onedesk onelogin onepagecrm onfleet oopspam opencagedata opengraphr opensea openuv openweather openweathermap
owlbot pagarme pandadoc pandascore paperform paralleldots parsehub partnerstack passbase pastebin paydirtapp paymoapp paymongo paystack
pdflayer pdfshift peopledatalabs pepipost pipedream pipedrive pivotaltracker pixabay planview planyo plivo podio pollsapi poloniex
positionstack postageapp powrbot privateai prodpad prospectcrm proxycrawl purestake pushbullet qase qualaroo qubole quickmetrics railwayapp
rapidapi rawg reachmail rebrandly rechargepayments refiner repairshopr replyio restpack revampcrm ringcentral ritekit roaring
robinhoodcrypto rocketreach roninapp route4me rownd runrunit salesblink salescookie salesflare salesmate satismeter scrapeowl scraperapi
scraperbox scrapersite scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer scrutinizerci securitytrails selectpdf
sendbird serpapi serphouse serpstack sheety sherpadesk shipday shodan shotstack shutterstock signalwire signaturit signupgenius sigopt
simfin simplesat simplynoted simvoly sinchmessage sirv siteleaf skrapp skybiometry smartsheet smartystreets snipcart softlayer speechtextai
spoonacular sportsmonk sslmate statuscake statuspal stitchdata stockdata storecove stormboard stormglass storyblok storychief streak
sugester supernotes surveyanyplace surveybot surveysparrow survicate swiftype tallyfy tatumio taxjar teamgate teamworkcrm teamworkdesk
teamworkspaces technicalanalysisapi telnyx testingbot text2data textmagic theoddsapi thingsboard thinkific thousandeyes ticketmaster
tickettailor tiingo timecamp timezoneapi tmetric todoist toggl tomorrowio tomtom tradier transferwise travelpayouts twelvedata tyntec
ubidots uclassify unsplash upcdatabase uplead uploadcare uptimerobot upwave urlscan userstack vatlayer vbout verimail veriphone versioneye
viewneo virustotal visualcrossing voiceflow voicegain voodoosms vouchery vpnapi vultr walkscore weatherapi weatherbit weatherstack
web3storage webscraper webscraping websitepulse wepay whoxy wistia worksnaps worldcoinindex worldweather wrike youneedabudget yousign zenkit
zenrows zenscrape zenserp zeplin zerobounce zipapi zipcodeapi zohocrm zonkafeedback zulipchat
`);

/** Services whose name may as well stand before an id or a hash: there only a name that promises a key tells. */
export const otherServices = list(`
adobe agora aha airship airtable alchemy algolia alibaba aliyun amplitude anthropic apify apollo appveyor artifactory artsy asana atera
atlassian audd auth0 autodesk autopilot azure beamer bing bitbucket bitrise blogger braze bugsnag buildkite bulbul calendly chatbot cicero
circleci clickhouse clockify cloudflare cloze codacy codeclimate codecov cohere coinbase confluence confluent contentful couchbase dailyco
dandelion databricks datadog datagov dd deepseek delighted digitalocean discord ditto dnscheck docusign doppler dotmailer dropbox duply
dynatrace edenai elevenlabs enablex envoy etsy facebook fastly figma fileio findl flatio flickr formio freshdesk freshworks fulcrum gemini
giphy github gitlab gitter goodday google grafana groq gumroad gyazo heroku holistic honeycomb hubspot huggingface ibm impala infura
intercom jfrog jira juro kagi kontent kraken kucoin langfuse langsmith launchdarkly linkedin lob logdna loggly looker luno m3o mailchimp
mailgun mailjet mandrill mapbox mattermost maxmind metabase miro mistral mite mixpanel monkeylearn moralis nasa nasdaq netcore netlify
newrelic nexmo ngrok nightfall nitro noticeable notion nuget nvidia okta onesignal onwater openai openrouter opsgenie optimizely overloop
packagecloud pagerduty papertrail parseur particle paypal percy pinata pinecone plaid portainer postbacks posthog postmark protocolsio
pubnub pusher rapyd raven razorpay reallysimplesystems rentman replicate requestfinance rollbar runpod saladcloud salesforce saucelabs
scaleway scalr segment sendgrid sentry serper shopify sidekiq slack smooch snyk sonar sonarcloud sonarqube soundcloud sourcegraph sparkpost
splunk spotify squarespace strava stripe stripo stytch sumologic supabase surveymonkey swell tailscale tavily teamcity tefter telegram
teletype tly tokeet travis trello trufflehog twilio twitch twitter typeform typetalk unify unplugg upstash userflow vagrant vercel vimeo
vonage vyte wakatime wandb webex webflow wiz workstack xai yandex yelp youtube zendesk zerotier zipbooks zipcodebase zoominfo
`);

/** Of these the names that are words of every text: alone before a value they tell nothing. */
export const wordlikeServices: ReadonlySet<string> = new Set(
  list(`
adobe agora apollo beamer bing blogger braze cicero cloze codacy cohere confluence dd delighted discord ditto duply envoy figma flickr fulcrum
gemini google grok holistic honeycomb impala infura kraken linkedin lob loggly looker luno m3o metabase miro mite nasa nitro noticeable notion
particle percy postbacks pusher rapyd raven replicate segment sidekiq slack smooch splunk spotify strava stripo stytch swell tefter tly
tokeet twitch twitter unify unplugg vimeo wiz workstack youtube
`),
);
