/**
 * Authentication and authorization in the browser: kube-apiserver's flags, with files in the
 * settings. The server validates them with kube-apiserver's messages.
 */

import type { AuthorizationOptions } from '../../engine/authorization/configuration/options'
import { FileError, type Files } from '../../engine/core/environment'
import { entryOf } from '../../engine/core/object'
import type { ApiServerOptions } from '../../engine/server/server-options'
import { PAGE_TOKENS } from './tokens'

export type { AuthorizationOptions }

export interface AccessSettings {
  /** By absolute path, as the settings below refer to them. */
  files: Record<string, string>
  /** `--authorization-*`: modes, or a configuration in `configFile`; Node and RBAC if empty. */
  authorization: AuthorizationOptions
  /** `--token-auth-file`: users in addition to those of the page. */
  tokenFile: string
  /** `--authentication-config`: issuers of ID tokens. */
  authenticationConfig: string
  /** JSON Web Key Sets by issuer, for issuers the browser cannot reach. */
  keySets: Record<string, string>
  /** `--anonymous-auth`; absent if the flag is unset. */
  anonymousAuth?: boolean
}

export const FIRST_ACCESS: AccessSettings = {
  files: {},
  authorization: {},
  tokenFile: '',
  authenticationConfig: '',
  keySets: {},
}

/** @throws FileError */
export function accessOptionsOf(access: AccessSettings): Partial<ApiServerOptions> {
  const {
    files: texts,
    authorization,
    tokenFile,
    authenticationConfig,
    keySets,
    anonymousAuth,
  } = access
  const files = filesOf(texts)
  return {
    files,
    authorization,
    authenticationConfig,
    keySets,
    tokens: tokenFile === '' ? PAGE_TOKENS : PAGE_TOKENS + files.read(tokenFile),
    ...(anonymousAuth === undefined ? {} : { anonymousAuth }),
  }
}

function filesOf(texts: Readonly<Record<string, string>>): Files {
  return {
    read(path) {
      const text = entryOf(texts, path)
      if (text === undefined) throw new FileError(path, 'no such file or directory')
      return text
    },
  }
}
