//! Reading a position (RULES 3.2, 4.3).

use super::{Cell, Game, InvalidPosition, Layout, Stacks, layout::MEN, stack::Stack};
use crate::core::{BySide, Rule, Side, TextErrorKind};

type Reader<'a> = crate::core::Reader<'a, InvalidPosition>;
type TextError = crate::core::TextError<InvalidPosition>;

/// The clause of every game of stacks that bounds the number of men and restricts turns 1 and 2.
const VALID: Rule = Rule::new("3.2");

pub(super) fn position(game: Game, text: &str) -> Result<Stacks, TextError> {
    let rule = game.text_rule();
    let mut reader = Reader::new(text);
    let mut board = BoardText { rule, layout: Layout::EMPTY, n_men: BySide::default(), stack_at: None };
    board.read(&mut reader, game)?;
    reader.skip(b' ', rule, "a space and the side")?;
    let turn = reader.turn(rule)?;
    let mut position = Stacks { game, turn, layout: board.layout };
    if let (Some(at), true) = (board.stack_at, position.is_switch_turn()) {
        return Err(InvalidPosition::StackBeforeSwitch.at(at, VALID));
    }
    for side in Side::ALL {
        reader.skip(b' ', rule, "a space and a reserve")?;
        let at = reader.at();
        let reserve = reader.number(rule, "the number of men in the reserve")?;
        if reserve > u16::from(MEN - board.n_men[side]) {
            return Err(InvalidPosition::TooManyMen { side }.at(at, VALID));
        }
        if reserve > 0 && position.is_switch_turn() {
            return Err(InvalidPosition::ReserveBeforeSwitch.at(at, VALID));
        }
        position.layout.set_reserve(side, reserve as u8);
    }
    reader.end(rule)?;
    if position.is_blocked() {
        return Err(InvalidPosition::Blocked { side: turn.side() }.at(0, Rule::START));
    }
    Ok(position)
}

/// The part of the board read so far.
struct BoardText {
    rule: Rule,
    layout: Layout,
    n_men: BySide<u8>,
    /// The byte offset of the first stack higher than one.
    stack_at: Option<usize>,
}

impl BoardText {
    fn read(&mut self, reader: &mut Reader<'_>, game: Game) -> Result<(), TextError> {
        for (index, row) in game.board().rows().enumerate() {
            if index > 0 {
                reader.skip(b'/', self.rule, "`/` and a row")?;
            }
            self.read_row(reader, row)?;
        }
        Ok(())
    }

    fn read_row(
        &mut self,
        reader: &mut Reader<'_>,
        row: impl ExactSizeIterator<Item = Cell>,
    ) -> Result<(), TextError> {
        let wanted = row.len();
        for (found, cell) in row.enumerate() {
            if found > 0 {
                if matches!(reader.peek(), None | Some(b'/' | b' ')) {
                    let kind = TextErrorKind::RowTooShort { wanted, found };
                    return Err(TextError { at: reader.at(), rule: self.rule, kind });
                }
                reader.skip(b',', self.rule, "`,` and a cell")?;
            }
            self.read_cell(reader, cell)?;
        }
        if reader.peek() == Some(b',') {
            let kind = TextErrorKind::RowTooLong { wanted };
            return Err(TextError { at: reader.at(), rule: self.rule, kind });
        }
        Ok(())
    }

    fn read_cell(&mut self, reader: &mut Reader<'_>, cell: Cell) -> Result<(), TextError> {
        if reader.peek() == Some(b'.') {
            reader.advance();
            return Ok(());
        }
        let at = reader.at();
        let mut stack = Stack::EMPTY;
        while let Some(man) = reader.peek().and_then(man) {
            stack = self.read_man(reader, cell, stack, man)?;
        }
        if stack.is_empty() {
            return Err(reader.expected(self.rule, "`.`, or men `x` and `o`"));
        }
        if stack.height() > 1 {
            self.stack_at.get_or_insert(at);
        }
        self.layout.put(cell, stack);
        Ok(())
    }

    fn read_man(
        &mut self,
        reader: &mut Reader<'_>,
        cell: Cell,
        below: Stack,
        man: Side,
    ) -> Result<Stack, TextError> {
        let capacity = cell.capacity();
        if below.height() == capacity {
            return Err(InvalidPosition::TooHigh { cell, capacity }.at(reader.at(), self.rule));
        }
        if self.n_men[man] == MEN {
            return Err(InvalidPosition::TooManyMen { side: man }.at(reader.at(), VALID));
        }
        self.n_men[man] += 1;
        reader.advance();
        let (stack, _) = below.topped(Stack::single(man), capacity);
        Ok(stack)
    }
}

const fn man(letter: u8) -> Option<Side> {
    match letter {
        b'x' => Some(Side::First),
        b'o' => Some(Side::Second),
        _ => None,
    }
}
