/** What the fuzzer starts from: requests that real clients sent, with a namespace of the fuzzed server in place of theirs. */
import { FOLDERS, readRecordings, recordingFiles } from '../conformance/recording-files'

export interface FuzzRequest {
  method: string
  /** Path and query as they go over the wire. */
  target: string
  headers: Record<string, string>
  body: Uint8Array | undefined
}

export const NAMESPACE = 'fuzzed'

const encoder = new TextEncoder()

/** Values that a recording takes from an earlier response. Any name or number works. */
function filledIn(text: string): string {
  return text.replaceAll('{{ns}}', NAMESPACE).replace(/\{\{[^}]*\}\}/g, '7')
}

/**
 * Recorded requests as the fuzzer's raw material.
 * @param step every how manieth is taken
 */
export function recordedRequests(step: number): FuzzRequest[] {
  const requests: FuzzRequest[] = []
  let count = 0
  for (const file of FOLDERS.slice(0, 1).flatMap((folder) => recordingFiles(folder))) {
    for (const { steps } of readRecordings(file)) {
      for (const { request } of steps) {
        if (request === undefined || count++ % step !== 0) continue
        const { method, path, headers, body } = request
        requests.push({
          method,
          target: filledIn(path),
          headers: Object.fromEntries(
            Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
          ),
          body: body === undefined || body === null ? undefined : encoder.encode(filledIn(body)),
        })
      }
    }
  }
  return requests
}
