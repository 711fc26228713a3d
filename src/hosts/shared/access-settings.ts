/**
 * What a person may set of who is let in and who may do what: the flags of kube-apiserver, over files that are kept with the
 * settings. Whatever contradicts itself is rejected with the server's own words when an engine is made of it.
 */

import type { AuthorizationOptions } from '../../engine/authorization/configuration/options'
import { FileError, type Files } from '../../engine/environment'
import { entryOf } from '../../engine/object'
import type { ApiServerOptions } from '../../engine/server-options'
import { PAGE_TOKENS } from './tokens'

export type { AuthorizationOptions }

export interface AccessSettings {
  /** Texts of files by absolute path: whatever the settings below, and the configurations among them, name. */
  files: Record<string, string>
  /** `--authorization-*`: modes, or a configuration's path in `configFile`; the modes Node and RBAC if empty. */
  authorization: AuthorizationOptions
  /** `--token-auth-file`: who may come in addition to the page's own actors; empty: no one. */
  tokenFile: string
  /** `--authentication-config`: whose ID tokens are taken; empty: no one's. */
  authenticationConfig: string
  /** By issuer the text of a JSON Web Key Set, for issuers that the browser cannot reach. */
  keySets: Record<string, string>
  /** `--anonymous-auth`; absent: the flag is not given. */
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

/** Files that are texts in memory. */
function filesOf(texts: Readonly<Record<string, string>>): Files {
  return {
    read(path) {
      const text = entryOf(texts, path)
      if (text === undefined) throw new FileError(path, 'no such file or directory')
      return text
    },
  }
}
