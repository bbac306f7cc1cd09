/** A position of Fibonacci that Black wins in this turn: the one to try in the lobby, and that of the lesson's last step. */
export const FIRST_WIN = 'C5/7/8/4S3p/2P2S1pp1/3P1cSp3/1PPPSpSp2/P2S5/8/5s1/sssss1 1 3 3/3';
