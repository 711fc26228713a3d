/**
 * Called by the name of the real program (through a link `kube-apiserver`), the server is what that program is: the API alone, over HTTPS,
 * for those who prove who they are. So it takes its place where tests start it themselves, in controller-runtime's envtest for one.
 */
import type { Flags } from './flags'

const AS_KUBE_APISERVER = {
  port: -1,
  'secure-port': 6443,
  controllers: ['off'],
  'default-token': false,
  // Test suites start and end it many times: they would pay for compiling what they never ask for.
  'warm-up': false,
} satisfies Partial<Flags>

/** @param program the name by which the server is called @returns what differs from the table of flags */
export const defaultsUnder = (program: string): Partial<Flags> => (program === 'kube-apiserver' ? AS_KUBE_APISERVER : {})
