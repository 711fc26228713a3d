// The yardstick: a bare Node server that answers a stored body of `?bytes=N`. Prints its port.
import { createServer } from 'node:http'

const bodies = new Map()
const server = createServer((request, response) => {
  const bytes = Number(new URL(request.url, 'http://x').searchParams.get('bytes') ?? 2)
  if (!bodies.has(bytes)) bodies.set(bytes, Buffer.alloc(bytes, 'x'))
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes })
    response.end(bodies.get(bytes))
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
