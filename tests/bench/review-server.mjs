/** A webhook that allows everything, in a process of its own. Gets key and certificate as JSON. */
import { createServer } from 'node:https'

const { key, cert } = JSON.parse(process.argv[2])
const hook = createServer({ key, cert }, (incoming, response) => {
  let body = ''
  incoming.on('data', (chunk) => {
    body += chunk
  })
  incoming.on('end', () => {
    const { kind, apiVersion, request } = JSON.parse(body)
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ kind, apiVersion, response: { uid: request.uid, allowed: true } }),
    )
  })
})
hook.listen(0, '127.0.0.1', () => console.log(hook.address().port))
