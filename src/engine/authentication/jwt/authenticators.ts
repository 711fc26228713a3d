/**
 * From a file, which is reloaded, or from flags (kubernetes.io, "Using Authentication
 * Configuration"). Startup errors are those of kube-apiserver.
 */
import {
  type Clock,
  FileError,
  type Files,
  type Log,
  SIGNATURE_ALGORITHMS,
} from '../../core/environment'
import type { FieldError } from '../../http/status'
import { ConfigurationError } from '../../schema/configuration-file'
import { goQuote } from '../../schema/go-text'
import type { UserInfo } from '../authenticator'
import { type ProviderEnvironment, providerUsers, type TokenUser } from './authenticator'
import {
  type AnonymousConfiguration,
  type AuthenticationConfiguration,
  configurationOfFlags,
  type OidcOptions,
  parseAuthenticationConfiguration,
} from './configuration'
import { checkConfiguration, type Rules } from './validate'

export interface JwtOptions {
  oidc?: OidcOptions
  authenticationConfig?: string
  anonymousAuth?: boolean
}

export interface JwtEnvironment extends Omit<ProviderEnvironment, 'algorithms'> {
  clock: Clock
  log: Log
  files?: Files | undefined
  rules: Rules
}

/** The message is that of kube-apiserver. */
export class AuthenticationOptionError extends Error {}

export interface JwtAuthenticators {
  userOf(token: string): Promise<UserInfo | { errors: string[] } | undefined>
  anonymous: AnonymousConfiguration | undefined
  stop(): void
}

const RELOAD_INTERVAL = 60_000

/** @throws AuthenticationOptionError, FileError */
export function jwtAuthenticators(
  options: JwtOptions,
  environment: JwtEnvironment,
): JwtAuthenticators | undefined {
  const { oidc, authenticationConfig: configFile = '', anonymousAuth } = options
  if (configFile !== '' && oidc)
    throw new AuthenticationOptionError(
      'authentication-config file and oidc-* flags are mutually exclusive',
    )
  if (configFile !== '') {
    const followed = new FollowedFile(configFile, environment)
    if (followed.anonymous !== undefined && anonymousAuth !== undefined)
      throw new AuthenticationOptionError(
        'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
      )
    followed.start()
    return followed
  }
  if (oidc === undefined) return undefined
  if (oidc.issuerUrl === '' || oidc.clientId === '')
    throw new AuthenticationOptionError(
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    )
  const users = usersOf(configurationOfFlags(oidc, environment.files), {
    ...environment,
    algorithms: oidc.signingAlgorithms,
  })
  const unknown = oidc.signingAlgorithms.find((algorithm) => !ALGORITHMS.includes(algorithm))
  if (unknown !== undefined)
    throw new AuthenticationOptionError(`oidc: unsupported signing alg: ${goQuote(unknown)}`)
  return { userOf: (token) => firstKnowing(users, token), anonymous: undefined, stop() {} }
}

const ALGORITHMS: readonly string[] = [...SIGNATURE_ALGORITHMS].sort()

function usersOf(
  configuration: AuthenticationConfiguration,
  environment: JwtEnvironment & { algorithms: readonly string[] },
): TokenUser[] {
  const { compiled, errors } = checkConfiguration(configuration, environment.rules)
  if (errors.length > 0)
    throw new AuthenticationOptionError(`invalid authentication configuration: ${joined(errors)}`)
  return (configuration.jwt ?? []).flatMap((one, i) => {
    const expressions = compiled[i]
    return expressions ? [providerUsers(one, expressions, environment)] : []
  })
}

/** Several errors are in brackets, without duplicates. */
function joined(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(({ field, detail }) => `${field}: ${detail}`))]
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`
}

async function firstKnowing(users: readonly TokenUser[], token: string): ReturnType<TokenUser> {
  for (const userOf of users) {
    const found = await userOf(token)
    if (found !== undefined) return found
  }
  return undefined
}

/** Ignores an invalid new file. Changes of the anonymous section need a restart. */
class FollowedFile implements JwtAuthenticators {
  readonly anonymous: AnonymousConfiguration | undefined
  private users: TokenUser[]
  private text: string
  private stopWatching: (() => void) | undefined
  private stopWaiting: () => void = () => {}

  constructor(
    private readonly path: string,
    private readonly environment: JwtEnvironment,
  ) {
    this.text = this.read()
    const configuration = this.parsed(this.text)
    this.users = this.made(configuration)
    this.anonymous = configuration.anonymous
  }

  userOf = (token: string): ReturnType<TokenUser> => firstKnowing(this.users, token)

  start(): void {
    this.stopWatching = this.environment.files?.watch?.(this.path, () => this.check())
    this.checkLater()
  }

  stop(): void {
    this.stopWatching?.()
    this.stopWaiting()
  }

  private read(): string {
    const { files } = this.environment
    if (files === undefined) throw new FileError(this.path, 'no such file or directory')
    return files.read(this.path)
  }

  private parsed(text: string): AuthenticationConfiguration {
    try {
      return parseAuthenticationConfiguration(text)
    } catch (error) {
      throw error instanceof ConfigurationError
        ? new AuthenticationOptionError(error.message)
        : error
    }
  }

  private made(configuration: AuthenticationConfiguration): TokenUser[] {
    return usersOf(configuration, { ...this.environment, algorithms: ALGORITHMS })
  }

  private checkLater(): void {
    this.stopWaiting = this.environment.clock.after(RELOAD_INTERVAL, () => {
      this.check()
      this.checkLater()
    })
  }

  private check(): void {
    const { metrics, clock, log } = this.environment
    try {
      const text = this.read()
      if (text === this.text) return
      this.text = text
      this.users = this.made(this.parsed(text))
      metrics.reloaded('success', clock.now())
    } catch (error) {
      log.error('the authentication configuration was not reloaded', error)
      metrics.reloaded('failure', clock.now())
    }
  }
}
