import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EchoGuard } from '../../src/app/features/editor/echo-guard'

describe('what was typed in an editor', () => {
  it('is guard once', () => {
    const guard = new EchoGuard()
    expect([guard.isNew('a', ''), guard.isNew('a', ''), guard.isNew('ab', 'a')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('is guard when it is as it was before what is not given back yet', () => {
    const guard = new EchoGuard()
    expect([guard.isNew('ab', 'a'), guard.isNew('a', 'a')]).toEqual([true, true])
  })

  it('stays when it comes back late, or was passed over', () => {
    const guard = new EchoGuard()
    for (const typed of ['a', 'ab', 'abc']) guard.isNew(typed, '')
    expect([guard.isEcho('ab', 'abc'), guard.isEcho('abc', 'abc')]).toEqual([true, true])
  })

  it('gives way to a text from elsewhere, even to one that was typed before', () => {
    const guard = new EchoGuard()
    guard.isNew('a', '')
    expect(guard.isEcho('x', 'a')).toBe(false)
    for (const typed of ['xy', 'x', 'xy']) guard.isNew(typed, 'x')
    expect([guard.isEcho('xy', 'xy'), guard.isEcho('x', 'xy')]).toEqual([true, false])
  })

  it('is what stays, however late and seldom the page is drawn', () => {
    const step = fc.constantFrom('a', 'b', 'back', 'draw', 'settle')
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const guard = new EchoGuard()
        let [typed, shown, state, given] = ['', '', '', '']
        /** What was drawn and the editor does not know of yet. */
        let drawn: string | undefined
        const settle = () => {
          if (drawn !== undefined && !guard.isEcho(drawn, shown)) shown = drawn
          drawn = undefined
        }
        const draw = () => {
          settle()
          if (state !== given) drawn = given = state
        }
        for (const action of steps) {
          if (action === 'draw') draw()
          else if (action === 'settle') settle()
          else {
            shown = typed = action === 'back' ? typed.slice(0, -1) : typed + action
            if (guard.isNew(shown, given)) state = shown
          }
          expect(shown).toBe(typed)
        }
        draw()
        settle()
        expect([shown, state]).toEqual([typed, typed])
      }),
    )
  })
})
