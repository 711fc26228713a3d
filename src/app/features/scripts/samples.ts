/** Scripts to begin with. */
export const SCRIPT_SAMPLES = [
  {
    title: 'list.ts',
    about: 'List namespaces with fetch',
    text: `// Scripts talk to the API with fetch, as any program would.
const response = await fetch('/api/v1/namespaces')
const { items } = await response.json()
for (const { metadata } of items) console.log(metadata.name, metadata.resourceVersion)
`,
  },
  {
    title: 'watch.ts',
    about: 'Follow a watch while objects are created',
    text: `// A watch is a stream of JSON lines. Create a ConfigMap and see it arrive.
const list = await (await fetch('/api/v1/namespaces/default/configmaps')).json()
const version = list.metadata.resourceVersion
const stream = await fetch(\`/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=5&resourceVersion=\${version}\`)

await fetch('/api/v1/namespaces/default/configmaps', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'from-script-' }, data: { at: new Date().toISOString() } }),
})

const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
for (;;) {
  const { done, value } = await reader.read()
  if (done) break
  for (const line of value.trim().split('\\n')) {
    const { type, object } = JSON.parse(line)
    console.log(type, object.metadata.name, 'at', object.metadata.resourceVersion)
  }
}
console.log('the stream ended after five seconds')
`,
  },
]
