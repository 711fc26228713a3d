// Scripts talk to the API with fetch, as any program would.
const response = await fetch('/api/v1/namespaces')
const { items } = await response.json()
for (const { metadata } of items) console.log(metadata.name, metadata.resourceVersion)
