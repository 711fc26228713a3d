/** The engine as MSW's handler of all requests. */
import { RequestHandler, type StrictRequest } from 'msw'

/** undefined if the request is not for the engine. */
type Serve = (request: Request) => Promise<Response> | undefined

type RunArguments = Parameters<RequestHandler['run']>[0]

/**
 * MSW's own handlers clone requests, read cookies and match patterns, which dominates small
 * responses.
 */
export class EngineHandler extends RequestHandler {
  constructor(private readonly serve: Serve) {
    super({ info: { header: 'the engine' }, resolver: ({ request }) => serve(request) })
  }

  predicate(): boolean {
    return true
  }

  /** The page's inspector shows requests; the console is for the user. */
  log(): void {}

  override async run({ request, requestId }: RunArguments): ReturnType<RequestHandler['run']> {
    const response = await this.serve(request)
    if (response === undefined) return null
    return { handler: this, request: request as StrictRequest<never>, requestId, response }
  }
}
