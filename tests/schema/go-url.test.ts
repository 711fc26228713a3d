import { describe, expect, it } from 'vitest'
import { URLS } from '../../src/engine/cel/library/urls'
import { urlProblem } from '../../src/engine/schema/go-url'
import { clientErrors } from '../../src/engine/validation/webhook-clients'

describe('URLs', () => {
  it.each([
    ['https://a.example.com/b?c#d'],
    ['https://user:pass@a:80'],
    ['https://[::1]:443/'],
    ['https://[fe80::1%25en0]/'],
    ['https://a<b"c>'],
    ['https://ü.example.com/ü'],
    ['https://a/%41?%zz'],
    ['mailto:a@b'],
    ['///a:b'],
    ['a/b:c'],
    [''],
  ])('accept %j', (text) => {
    expect(urlProblem(text)).toBeUndefined()
  })

  it.each([
    ['https://a:b', 'parse "https://a:b": invalid port ":b" after host'],
    ['https://a:b/c#d', 'parse "https://a:b/c": invalid port ":b" after host'],
    ['https://[::1', `parse "https://[::1": missing ']' in host`],
    ['https://[::1]x', 'parse "https://[::1]x": invalid port "x" after host'],
    ['https://a b', 'parse "https://a b": invalid character " " in host name'],
    ['https://%41', 'parse "https://%41": invalid URL escape "%41"'],
    ['https://a/%4', 'parse "https://a/%4": invalid URL escape "%4"'],
    ['https://a/#%zz', 'parse "https://a/#%zz": invalid URL escape "%zz"'],
    ['https://ü@a', 'parse "https://ü@a": net/url: invalid userinfo'],
    ['https://%z@a', 'parse "https://%z@a": invalid URL escape "%z"'],
    ['https://a\n', 'parse "https://a\\n": net/url: invalid control character in URL'],
    ['a:b:c/d', undefined],
    ['1:b', 'parse "1:b": first path segment in URL cannot contain colon'],
    [':b', 'parse ":b": missing protocol scheme'],
  ])('report the error in %j', (text, problem) => {
    expect(urlProblem(text)).toBe(problem)
  })

  it('of webhooks are rejected with the same message', () => {
    expect(
      clientErrors({ url: 'https://a:b' }, 'w').map(({ field, detail }) => `${field}: ${detail}`),
    ).toEqual([
      'w.url: Required value: url must be a valid URL: parse "https://a:b": invalid port ":b" after host; desired format: https://host[/path]',
    ])
  })

  it('of CEL may have brackets and quotes in their hosts', () => {
    const isUrl = URLS.functions.find(({ signature }) => signature.startsWith('isURL'))?.call as (
      text: string,
    ) => boolean
    expect(['https://a<b"c>', 'https://a{b'].map(isUrl)).toEqual([true, false])
  })
})
