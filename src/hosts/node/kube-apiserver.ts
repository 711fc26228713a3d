/**
 * Called by the name of the real program (through a link `kube-apiserver`), the server is what that program is: the API alone, over HTTPS,
 * for those who prove who they are. So it takes its place where tests start it themselves, in controller-runtime's envtest for one.
 */
import { DEFAULT_RELEASE, identityOf } from '../../engine/releases/release'
import type { Flags } from './flags'

const NAME = 'kube-apiserver'

const AS_KUBE_APISERVER = {
  port: -1,
  'secure-port': 6443,
  controllers: ['off'],
  'default-token': false,
  // Test suites start and end it many times: they would pay for compiling what they never request.
  'warm-up': false,
} satisfies Partial<Flags>

/** @param program the name by which the server is called @returns what differs from the table of flags */
export const defaultsUnder = (program: string): Partial<Flags> =>
  program === NAME ? AS_KUBE_APISERVER : {}

/** What `--version` says. @param own the version of this program */
export const versionLine = (program: string, own: string): string =>
  program === NAME ? `Kubernetes ${identityOf(DEFAULT_RELEASE).git}` : `kubetab ${own}`
