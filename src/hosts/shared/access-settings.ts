/**
 * Authentication and authorization settings in the browser: the flags of kube-apiserver, with files
 * stored in the settings. The server rejects invalid settings with kube-apiserver's messages.
 */

import type { AuthorizationOptions } from '../../engine/authorization/configuration/options'
import { FileError, type Files } from '../../engine/core/environment'
import { entryOf } from '../../engine/core/object'
import type { ApiServerOptions } from '../../engine/server/server-options'
import { PAGE_TOKENS } from './tokens'

export type { AuthorizationOptions }

export interface AccessSettings {
  /** By absolute path. The settings below and their configurations refer to these files. */
  files: Record<string, string>
  /**
   * `--authorization-*`: modes, or the path of a configuration in `configFile`; Node and RBAC if
   * empty.
   */
  authorization: AuthorizationOptions
  /** `--token-auth-file`: further users in addition to those of the page; empty for none. */
  tokenFile: string
  /** `--authentication-config`: issuers of accepted ID tokens; empty for none. */
  authenticationConfig: string
  /** JSON Web Key Sets as text by issuer, for issuers that the browser cannot reach. */
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
