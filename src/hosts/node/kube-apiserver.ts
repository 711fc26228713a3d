/**
 * Defaults of the server when its file is named `kube-apiserver`: for tests that start
 * kube-apiserver themselves, such as envtest of controller-runtime. It serves only the API, over
 * HTTPS, to authenticated clients.
 */
import {
  DEFAULT_RELEASE,
  identityOf,
  parseRelease,
  type Release,
} from '../../engine/releases/release'
import type { Flags } from './flags'

const NAME = 'kube-apiserver'

const AS_KUBE_APISERVER = {
  port: -1,
  'secure-port': 6443,
  controllers: ['off'],
  'default-token': false,
  // Test suites start the server many times.
  'warm-up': false,
} satisfies Partial<Flags>

/**
 * @param program the name by which the server was started
 * @returns the defaults that differ from the table of flags
 */
export const defaultsUnder = (program: string): Partial<Flags> =>
  program === NAME ? AS_KUBE_APISERVER : {}

/**
 * The output of `--version`.
 * @param own the version of kubetab
 * @param release the release that the server would serve
 */
export const versionLine = (program: string, own: string, release: Release): string =>
  program === NAME ? `Kubernetes ${identityOf(release).git}` : `kubetab ${own}`

/** The release of a command line that is not parsed, for `--help` and `--version`. */
export function namedRelease(args: readonly string[]): Release {
  const at = args.findLastIndex((text) => /^--release(?:=|$)/.test(text))
  const text = args[at]?.split('=')[1] ?? args[at + 1]
  return (at < 0 ? undefined : parseRelease(text ?? '')) ?? DEFAULT_RELEASE
}
