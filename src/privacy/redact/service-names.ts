// Names of services that are no words of code, so that a key beside them is theirs.

const list = (names: string): readonly string[] => names.trim().split(/\s+/);

/**
 * Services whose keys are a run of digits and letters with nothing else to know them by. The rule sets of gitleaks and
 * trufflehog look for them behind the name of the service, which is all that their makers document.
 */
export const keyedServices = list(`
abstractapi abuseipdb accuweather adafruit adzuna airbrake airvisual alegra aletheiaapi alienvault allsports alphavantage amadeus ambee
apiflash apilayer apitemplate appcues appfollow assemblyai aviationstack axonaut ayrshare baremetrics beebole besttime bitbar bitcoinaverage
bittrex blazemeter boostnote borgbase brandfetch browshot bscscan bugherd buttercms calendarific calorieninja campayn carboninterface censys
chartmogul checklyhq clearbit clickhelp clickup cloudmersive cloudsmith coinapi coinlayer coinlib coinmarketcap companyhub convertkit
countrylayer coveralls crowdin cryptocompare currencyfreaks currencylayer currencyscoop currentsapi customerio cutterly deepai deepgram
deepl deputy detectlanguage diffbot droneci dyspatch edamam elasticemail enigma ethplorer etherscan everhour exchangerate exchangeratesapi
faceplusplus fastforex fetchrss finage financialmodelingprep finicity finnhub fixerio flightapi flightstats foursquare freshbooks fullcontact
geoapify geocodify geocodio geoipifi getgeoapi glassnode graphhopper helpscout hereapi hiveage hunterio hypertrack iconfinder iexapis
iexcloud imagekit imagga infobip insightly intrinio ipapi ipdata ipgeolocation ipify ipinfodb ipquality ipstack jotform jumpcloud kickbox
klipfolio languagelayer lastfm linkpreview liveagent locationiq lokalise loyverse macaddress mailboxlayer mailerlite mailmodo mapquest
marketstack meaningcloud mediastack meraki mesibo messagebird metaapi mindmeister mockaroo moderationapi moonclerk moosend mrticktock
nasdaqdatalink neutrinoapi newsapi newscatcher nftport nitropack numverify nutritionix nylas nytimes oanda omnisend opencagedata opengraphr
opensea openuv openweather openweathermap owlbot pandadoc pandascore paralleldots partnerstack pastebin paymongo pdflayer pdfshift
peopledatalabs pepipost pipedream pipedrive pivotaltracker pixabay plivo poloniex positionstack postageapp privateai proxycrawl pushbullet
purestake qualaroo quickmetrics rapidapi rawg rebrandly refiner ringcentral ritekit rocketreach roaring route4me satismeter scraperapi
scraperbox scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer securitytrails selectpdf sendbird serpapi serphouse
serpstack sheety shodan shotstack signalwire signaturit sirv skybiometry smartystreets spoonacular sportsmonk stockdata stormglass
storyblok streak surveyanyplace survicate swiftype tatumio taxjar teamgate textmagic theoddsapi thousandeyes ticketmaster tiingo todoist
tomorrowio tomtom tradier travelpayouts twelvedata tyntec unsplash uplead uploadcare urlscan userstack vatlayer veriphone virustotal
visualcrossing vpnapi vultr walkscore weatherapi weatherbit weatherstack webscraper webscraping whoxy worldcoinindex worldweather yousign
zenkit zenscrape zenserp zerobounce zipcodeapi zonkafeedback
`);

/** Services whose name may as well stand before an id or a hash: there only a name that promises a key tells. */
export const otherServices = list(`
airtable algolia alibaba aliyun amplitude appveyor asana atlassian auth0 bitbucket bitrise braze bugsnag buildkite calendly circleci
clickhouse clockify cloudflare codacy codeclimate codecov cohere coinbase confluence confluent contentful databricks datadog dd deepseek
digitalocean discord docusign dropbox dynatrace elevenlabs etsy facebook fastly figma flickr freshdesk gemini giphy github gitlab gitter
grafana groq heroku honeycomb hubspot huggingface infura intercom jfrog jira kagi kraken kucoin langfuse langsmith launchdarkly linkedin
logdna loggly mailchimp mailgun mailjet mandrill mapbox mattermost mistral mixpanel moralis netlify newrelic nexmo notion okta onesignal
openai opsgenie packagecloud pagerduty papertrail paypal pinecone plaid postmark pubnub pusher razorpay replicate rollbar runpod salesforce
segment sendgrid sentry serper shopify slack snyk sonar sonarcloud sonarqube soundcloud sourcegraph sparkpost spotify squarespace stripe
sumologic surveymonkey tavily telegram travis trello twilio twitch twitter typeform upstash vimeo vonage wakatime yandex zendesk zerotier
zoominfo
`);
