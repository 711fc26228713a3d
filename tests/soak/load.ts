/**
 * The load of a tab of `npm run soak:resident`: watches, and endless writes. The title of the tab
 * has its progress.
 */

const PATH = '/api/v1/namespaces/default/configmaps'
const WATCHERS = 10
const WRITES_A_SECOND = 20
const OBJECTS = 20

const HEADERS = { Authorization: 'Bearer admin-token' }

const done = { writes: 0, events: 0, failed: 0 }

async function send(method: string, path: string, type: string, body: unknown): Promise<void> {
  const response = await fetch(path, {
    method,
    headers: { ...HEADERS, 'content-type': type },
    body: JSON.stringify(body),
  })
  await response.text()
  if (!response.ok) done.failed++
}

/** Counts events, that is lines. One that fails is not tried again. */
async function watch(): Promise<void> {
  const { ok, body } = await fetch(`${PATH}?watch=1&timeoutSeconds=60`, { headers: HEADERS })
  if (!ok) {
    done.failed++
    return
  }
  const lines = body?.getReader()
  for (let read = await lines?.read(); read && !read.done; read = await lines?.read()) {
    for (const byte of read.value) if (byte === 10) done.events++
  }
  return watch()
}

async function begin(): Promise<void> {
  for (let i = 0; i < OBJECTS; i++) {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c${i}` },
      data: { value: 'x'.repeat(1000) },
    }
    await send('POST', PATH, 'application/json', object)
  }
  for (let i = 0; i < WATCHERS; i++) void watch()
  setInterval(() => {
    const n = done.writes++
    void send('PATCH', `${PATH}/c${n % OBJECTS}`, 'application/merge-patch+json', {
      data: { n: String(n) },
    })
    document.title = `${done.writes} writes, ${done.events} events, ${done.failed} failed`
  }, 1000 / WRITES_A_SECOND)
}

void begin()
