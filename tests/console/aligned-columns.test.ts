/**
 * Aligned columns of kubectl describe: tabs end cells, and consecutive lines share column widths.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alignColumns } from '../../src/console/describe/aligned-columns'

describe('columns', () => {
  it('are as wide as the widest cell plus two', () => {
    expect(alignColumns('Name:\tweb\nNamespace:\tshop\n')).toBe(
      'Name:       web\nNamespace:  shop\n',
    )
  })

  it('end at a line without a cell in them', () => {
    expect(alignColumns('a:\t1\nTitle\nlonger:\t2\n')).toBe('a:  1\nTitle\nlonger:  2\n')
  })

  it('nest: a second column is measured only among lines that share the first', () => {
    expect(alignColumns('a\tb\tc\nd\tlong\te\nf\tg\n')).toBe('a  b     c\nd  long  e\nf  g\n')
  })

  it('keep the text after the last tab unchanged', () => {
    expect(alignColumns('a\t \nbb\t\n')).toBe('a    \nbb  \n')
  })

  it('count characters, not UTF-16 code units', () => {
    expect(alignColumns('🙂\tx\nab\ty\n')).toBe('🙂   x\nab  y\n')
  })

  it('change only the padding between cells', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', ':', 'ü') })
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        (lines) => {
          const aligned = alignColumns(lines.map((cells) => cells.join('\t')).join('\n')).split(
            '\n',
          )
          expect(aligned.map((line) => line.replaceAll(' ', ''))).toEqual(
            lines.map((cells) => cells.join('')),
          )
        },
      ),
    )
  })

  it('begin a column at the same offset in consecutive lines', () => {
    const cell = fc
      .string({ unit: 'grapheme-ascii', maxLength: 6 })
      .map((text) => text.replaceAll(/[\s~]/g, 'x'))
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), (firsts) => {
        const aligned = alignColumns(firsts.map((first) => `${first}\t~`).join('\n')).split('\n')
        expect(new Set(aligned.map((line) => line.indexOf('~'))).size).toBe(1)
        expect(aligned[0]?.indexOf('~')).toBe(Math.max(...firsts.map((first) => first.length)) + 2)
      }),
    )
  })
})
