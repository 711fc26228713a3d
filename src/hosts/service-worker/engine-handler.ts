/** The engine as a handler of MSW, which all requests for the API are given to. */
import { RequestHandler, type StrictRequest } from 'msw'

/** Answers a request; undefined: it is not for the engine. */
type Serve = (request: Request) => Promise<Response> | undefined

type RunArguments = Parameters<RequestHandler['run']>[0]

/**
 * MSW's own handlers copy each request for their log, read its cookies and compare its address with a pattern. Nothing here uses what
 * comes of that, and it is most of what a small answer takes in this worker.
 */
export class EngineHandler extends RequestHandler {
  constructor(private readonly serve: Serve) {
    super({ info: { header: 'the engine' }, resolver: ({ request }) => serve(request) })
  }

  predicate(): boolean {
    return true
  }

  /** The inspector shows every request with its response; the browser's console stays the person's. */
  log(): void {}

  override async run({ request, requestId }: RunArguments): ReturnType<RequestHandler['run']> {
    const response = await this.serve(request)
    if (response === undefined) return null
    return { handler: this, request: request as StrictRequest<never>, requestId, response }
  }
}
