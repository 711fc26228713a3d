// A watch is a stream of JSON lines. Create a ConfigMap and see it arrive.
const path = '/api/v1/namespaces/default/configmaps'
const list = await fetch(path)
const { metadata } = await list.json()
const from = metadata.resourceVersion
const watch = await fetch(`${path}?watch=1&timeoutSeconds=5&resourceVersion=${from}`)

const created = await fetch(path, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'from-script-' },
    data: { at: new Date().toISOString() },
  }),
})
if (!created.ok) console.error('The ConfigMap was not created:', await created.text())

const reader = watch.body?.pipeThrough(new TextDecoderStream()).getReader()
let incomplete = ''
while (reader) {
  const { done, value } = await reader.read()
  if (done) break
  const lines = `${incomplete}${value}`.split('\n')
  incomplete = lines.pop() ?? ''
  for (const line of lines) {
    const { type, object } = JSON.parse(line)
    console.log(type, object.metadata.name, 'at', object.metadata.resourceVersion)
  }
}
console.log('The stream ended after five seconds.')
