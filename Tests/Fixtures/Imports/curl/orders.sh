# Two requests as a browser copies them.
curl 'https://api.shop.test/v1/orders?dry=1' \
  -H 'accept: application/json' \
  -H 'content-type: application/json' \
  --data-raw '{"sku":"mug"}' --compressed ;
curl -sSL "https://api.shop.test/v1/me"
