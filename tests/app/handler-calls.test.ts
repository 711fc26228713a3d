/** What became of calls of webhooks that are written in the page. */
import { expect, it } from 'vitest'
import { useHandlerCalls } from '../../src/app/features/webhooks/handler-calls'

it('is cleared of one webhook, and stays of the others', () => {
  const { begin, print, clear } = useHandlerCalls.getState()
  for (const name of ['first', 'second']) {
    begin(name, {
      handler: { name, address: '', source: '', code: '' },
      method: 'POST',
      url: 'https://a.example.com/',
      headers: {},
      body: '',
    })
    print(name, 'log', `printed by ${name}`)
  }
  clear('first')
  const { calls, lines } = useHandlerCalls.getState()
  expect([...calls, ...lines].map(({ handler }) => handler)).toEqual(['second', 'second'])
})
