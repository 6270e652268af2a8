// Names of services that are no words of code, so that a key beside them is theirs.

const list = (names: string): readonly string[] => names.trim().split(/\s+/);

/**
 * Services whose keys are a run of digits and letters with nothing else to know them by. The rule sets of gitleaks and
 * trufflehog look for them behind the name of the service, which is all that their makers document.
 */
export const keyedServices = list(`
abbysale abstractapi abuseipdb accuweather adafruit adzuna aeroworkflow airbrake airvisual alconost alegra aletheiaapi alienvault allsports
alphavantage amadeus ambee apacta api2cart apideck apiflash apilayer apitemplate appcues appfollow appsynergy apptivo assemblyai autoklose
avaza aviationstack axonaut aylien ayrshare bannerbear baremetrics baseapi beebole besttime billomat bitbar bitcoinaverage bitfinex bitly
bitmex bittrex blablabus blazemeter blitapp blynk boostnote borgbase brandfetch browshot bscscan bugherd buttercms calendarific calorieninja
campayn capsulecrm carboninterface cashboard caspio censys chartmogul chatfuel checklyhq clearbit clickhelp clicksend clickup cliengo
clinchpad clockworksms cloudant cloudelements cloudimage cloudmersive cloudsmith cloverly clustdoc coinapi coinlayer coinlib coinmarketcap
companyhub convertkit countrylayer coveralls crowdin cryptocompare currencycloud currencyfreaks currencylayer currencyscoop currentsapi
customerguru customerio cutterly d7network deepai deepgram deepl deputy detectlanguage diffbot dronahq droneci dynalist dyspatch easyinsight
edamam elasticemail enigma etherscan ethplorer everhour exchangerate exchangeratesapi faceplusplus fakejson fastforex feedier fetchrss
finage financialmodelingprep finicity finnhub fixerio flightapi flightstats flowflu fmfw foursquare freemius freshbooks fullcontact fxmarket
geckoboard geoapify geocodify geocodio geoipifi getemails getgeoapi getgist gitalk glassnode gocanvas graphcms graphhopper groovehq
happyscribe hellosign helpscout hereapi hiveage html2pdf hunterio hypertrack iconfinder iexapis iexcloud imagekit imagga infobip insightly
integromat intrinio invoiceocean ipapi ipdata ipgeolocation ipify ipinfodb ipquality ipstack jotform jumpcloud kanbantool karmacrm kickbox
klipfolio kylas languagelayer lastfm leadfeeder linemessaging linenotify linkpreview liveagent locationiq loginradius lokalise loyverse
macaddress madkudu mailboxlayer mailerlite mailmodo mapquest marketstack mavenlink meaningcloud mediastack meistertask meraki mesibo
messagebird metaapi metrilo mindmeister mockaroo moderationapi moonclerk moosend mrticktock nasdaqdatalink nethunt neutrinoapi newsapi
newscatcher nftport nicereply nitropack numverify nutritionix nylas nytimes oanda omnisend onelogin opencagedata opengraphr opensea openuv
openweather openweathermap owlbot pandadoc pandascore paralleldots partnerstack passbase pastebin paymoapp paymongo pdflayer pdfshift
peopledatalabs pepipost pipedream pipedrive pivotaltracker pixabay planview planyo plivo poloniex positionstack postageapp privateai
prospectcrm proxycrawl purestake pushbullet qualaroo qubole quickmetrics rapidapi rawg rebrandly refiner restpack revampcrm ringcentral
ritekit roaring rocketreach roninapp route4me rownd runrunit salesblink salescookie salesflare satismeter scrapeowl scraperapi scraperbox
scrapersite scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer securitytrails selectpdf sendbird serpapi serphouse
serpstack sheety sherpadesk shipday shodan shotstack shutterstock signalwire signaturit signupgenius sigopt simplesat simplynoted simvoly
sirv siteleaf skrapp skybiometry smartsheet smartystreets snipcart softlayer spoonacular sportsmonk stitchdata stockdata storecove
stormglass storyblok streak sugester supernotes surveyanyplace surveybot surveysparrow survicate swiftype tatumio taxjar teamgate telnyx
text2data textmagic theoddsapi thingsboard thinkific thousandeyes ticketmaster tiingo timezoneapi todoist toggl tomorrowio tomtom tradier
travelpayouts twelvedata tyntec unsplash upcdatabase uplead uploadcare upwave urlscan userstack vatlayer verimail veriphone versioneye
virustotal visualcrossing vouchery vpnapi vultr walkscore weatherapi weatherbit weatherstack webscraper webscraping wepay whoxy worksnaps
worldcoinindex worldweather yousign zenkit zenscrape zenserp zerobounce zipapi zipcodeapi zonkafeedback
`);

/** Services whose name may as well stand before an id or a hash: there only a name that promises a key tells. */
export const otherServices = list(`
adobe airship airtable algolia alibaba aliyun amplitude apollo appveyor artifactory artsy asana atlassian audd auth0 autodesk autopilot
beamer bitbucket bitrise blogger braze bugsnag buildkite calendly chatbot circleci clickhouse clockify cloudflare cloze codacy codeclimate
codecov cohere coinbase confluence confluent contentful dailyco dandelion databricks datadog datagov dd deepseek delighted digitalocean
discord docusign dropbox dynatrace elevenlabs enablex etsy facebook fastly figma flickr freshdesk freshworks fulcrum gemini giphy github
gitlab gitter goodday grafana groq gyazo heroku honeycomb hubspot huggingface ibm impala infura intercom jfrog jira juro kagi kontent kraken
kucoin langfuse langsmith launchdarkly linkedin lob logdna loggly looker luno m3o mailchimp mailgun mailjet mandrill mapbox mattermost
maxmind mistral mixpanel moralis nasa nasdaq netcore netlify newrelic nexmo nitro noticeable notion okta onesignal onwater openai opsgenie
optimizely packagecloud pagerduty papertrail particle paypal pinecone plaid postmark pubnub pusher rapyd raven razorpay replicate rollbar
runpod salesforce saucelabs scaleway segment sendgrid sentry serper shopify sidekiq slack smooch snyk sonar sonarcloud sonarqube soundcloud
sourcegraph sparkpost splunk spotify squarespace strava stripe stytch sumologic surveymonkey swell tavily teamcity telegram tly travis
trello twilio twitch twitter typeform unify upstash vimeo vonage vyte wakatime webex webflow workstack yandex youtube zendesk zerotier
zoominfo
`);
