# Fetches the memoir binary for this machine from a release, checks its sum and runs `memoir install`.
$version = ''
$address = ''
$keys = ''
$sums = ''
