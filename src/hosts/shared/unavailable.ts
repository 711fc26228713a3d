export function unavailable(error: unknown): Response {
  const message = `the API server could not start: ${error instanceof Error ? error.message : String(error)}`
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'ServiceUnavailable',
    code: 503,
  }
  return new Response(JSON.stringify(status), {
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
  })
}
