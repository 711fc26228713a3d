/** Flags of authentication and authorization, in the words of kube-apiserver 1.31. */
import { SIGNATURE_ALGORITHMS } from '../../engine/core/environment'
import { flag, optional } from './flag'

export const AUTHENTICATION = {
  'anonymous-auth': optional(
    'boolean',
    'Enables anonymous requests to the secure port of the API server. Requests that are not rejected by another authentication method are treated as anonymous requests. Anonymous requests have a username of system:anonymous, and a group name of system:unauthenticated. (default true)',
  ),
  'api-audiences': flag(
    'strings',
    [],
    'Identifiers of the API. The service account token authenticator will validate that tokens used against the API are bound to at least one of these audiences. If the --service-account-issuer flag is configured and this flag is not, this field defaults to a single element list containing the issuer URL.',
  ),
  'authentication-config': flag(
    'string',
    '',
    'File with Authentication Configuration to configure the JWT Token authenticator or the anonymous authenticator. The server reloads the file when it changes. This flag is mutually exclusive with the --oidc-* flags.',
  ),
  'authentication-token-webhook-cache-ttl': flag(
    'duration',
    120_000,
    'The duration to cache responses from the webhook token authenticator.',
  ),
  'authentication-token-webhook-config-file': flag(
    'string',
    '',
    'File with webhook configuration for token authentication in kubeconfig format. The API server will query the remote service to determine authentication for bearer tokens.',
  ),
  'authentication-token-webhook-version': flag(
    'string',
    'v1beta1',
    'The API version of the authentication.k8s.io TokenReview to send to and expect from the webhook.',
  ),
  'client-ca-file': flag(
    'string',
    '',
    'If set, any request presenting a client certificate signed by one of the authorities in the client-ca-file is authenticated with an identity corresponding to the CommonName of the client certificate. If not set, the CA that the server generates for signing is used.',
  ),
  'enable-bootstrap-token-auth': flag(
    'boolean',
    true,
    "Enable to allow secrets of type 'bootstrap.kubernetes.io/token' in the 'kube-system' namespace to be used for TLS bootstrapping authentication.",
  ),
  'oidc-ca-file': optional(
    'string',
    "If set, the OpenID server's certificate will be verified by one of the authorities in the oidc-ca-file, otherwise the host's root CA set will be used.",
  ),
  'oidc-client-id': optional(
    'string',
    'The client ID for the OpenID Connect client, must be set if oidc-issuer-url is set.',
  ),
  'oidc-groups-claim': optional(
    'string',
    'If provided, the name of a custom OpenID Connect claim for specifying user groups. The claim value is expected to be a string or array of strings.',
  ),
  'oidc-groups-prefix': optional(
    'string',
    'If provided, all groups will be prefixed with this value to prevent conflicts with other authentication strategies.',
  ),
  'oidc-issuer-url': optional(
    'string',
    'The URL of the OpenID issuer, only HTTPS scheme will be accepted. If set, it will be used to verify the OIDC JSON Web Token (JWT).',
  ),
  'oidc-required-claim': optional(
    'strings',
    'A key=value pair that describes a required claim in the ID Token. If set, the claim is verified to be present in the ID Token with a matching value. Repeat this flag to specify multiple claims.',
  ),
  'oidc-signing-algs': optional(
    'strings',
    `Comma-separated list of allowed JOSE asymmetric signing algorithms. JWTs with a supported 'alg' header value are: ${SIGNATURE_ALGORITHMS.join(', ')}. Values are defined by RFC 7518 https://tools.ietf.org/html/rfc7518#section-3.1. (default [RS256])`,
  ),
  'oidc-username-claim': optional(
    'string',
    'The OpenID claim to use as the user name. Note that claims other than the default (\'sub\') is not guaranteed to be unique and immutable. (default "sub")',
  ),
  'oidc-username-prefix': optional(
    'string',
    "If provided, all usernames will be prefixed with this value. If not provided, username claims other than 'email' are prefixed by the issuer URL to avoid clashes. To skip any prefixing, provide the value '-'.",
  ),
  'requestheader-allowed-names': flag(
    'strings',
    [],
    'List of client certificate common names to allow to provide usernames in headers specified by --requestheader-username-headers. If empty, any client certificate validated by the authorities in --requestheader-client-ca-file is allowed.',
  ),
  'requestheader-client-ca-file': flag(
    'string',
    '',
    'Root certificate bundle to use to verify client certificates on incoming requests before trusting usernames in headers specified by --requestheader-username-headers. WARNING: generally do not depend on authorization being already done for incoming requests.',
  ),
  'requestheader-extra-headers-prefix': flag(
    'strings',
    [],
    'List of request header prefixes to inspect. X-Remote-Extra- is suggested.',
  ),
  'requestheader-group-headers': flag(
    'strings',
    [],
    'List of request headers to inspect for groups. X-Remote-Group is suggested.',
  ),
  'requestheader-username-headers': flag(
    'strings',
    [],
    'List of request headers to inspect for usernames. X-Remote-User is common.',
  ),
  'service-account-extend-token-expiration': flag(
    'boolean',
    true,
    'Turns on projected service account expiration extension during token generation, which helps safe transition from legacy token to bound service account token feature. If this flag is enabled, admission injected tokens would be extended up to 1 year to prevent unexpected failure during transition, ignoring value of service-account-max-token-expiration.',
  ),
  'service-account-issuer': flag(
    'strings',
    ['https://kubernetes.default.svc'],
    'Identifier of the service account token issuer. The issuer will assert this identifier in "iss" claim of issued tokens. When this flag is specified multiple times, the first is used to generate tokens and all are used to determine which issuers are accepted.',
  ),
  'service-account-jwks-uri': flag(
    'string',
    '',
    "Overrides the URI for the JSON Web Key Set in the discovery doc served at /.well-known/openid-configuration. This flag is useful if the discovery doc and key set are served to relying parties from a URL other than the API server's external (as auto-detected or overridden with external-hostname).",
  ),
  'service-account-key-file': flag(
    'strings',
    [],
    'File containing PEM-encoded x509 RSA or ECDSA private or public keys, used to verify ServiceAccount tokens. The specified file can contain multiple keys, and the flag can be specified multiple times with different files. If unspecified, the signing key is used.',
  ),
  'service-account-lookup': flag(
    'boolean',
    true,
    'If true, validate ServiceAccount tokens exist in etcd as part of authentication.',
  ),
  'service-account-max-token-expiration': flag(
    'duration',
    0,
    'The maximum validity duration of a token created by the service account token issuer. If an otherwise valid TokenRequest with a validity duration larger than this value is requested, a token will be issued with a validity duration of this value.',
  ),
  'token-auth-file': flag(
    'string',
    '',
    'If set, the file that will be used to secure the secure port of the API server via token authentication.',
  ),
}

export const AUTHORIZATION = {
  'authorization-config': optional(
    'string',
    'File with Authorization Configuration to configure the authorizer chain. The server reloads the file when it changes. This flag is mutually exclusive with the other --authorization-mode and --authorization-webhook-* flags.',
  ),
  'authorization-mode': optional(
    'strings',
    'Ordered list of plug-ins to do authorization on secure port. Defaults to Node,RBAC if --authorization-config is not used. Comma-delimited list of: AlwaysAllow,AlwaysDeny,ABAC,Webhook,RBAC,Node.',
  ),
  'authorization-policy-file': optional(
    'string',
    'File with authorization policy in json line by line format, used with --authorization-mode=ABAC, on the secure port.',
  ),
  'authorization-webhook-cache-authorized-ttl': optional(
    'duration',
    "The duration to cache 'authorized' responses from the webhook authorizer. (default 5m0s)",
  ),
  'authorization-webhook-cache-unauthorized-ttl': optional(
    'duration',
    "The duration to cache 'unauthorized' responses from the webhook authorizer. (default 30s)",
  ),
  'authorization-webhook-config-file': optional(
    'string',
    "File with webhook configuration in kubeconfig format, used with --authorization-mode=Webhook. The API server will query the remote service to determine access on the API server's secure port.",
  ),
  'authorization-webhook-version': optional(
    'string',
    'The API version of the authorization.k8s.io SubjectAccessReview to send to and expect from the webhook. (default "v1beta1")',
  ),
}
