package dev.escapement.bench.machine;

import dev.escapement.bench.stress.trial.Figure.Grade;

/**
 * Something that was seen of the machine.
 *
 * @param what  is looked at
 * @param seen  what there is
 * @param grade how good that is
 * @param means what to expect of it, and what to change if it is not good
 */
record Sight(String what, String seen, Grade grade, String means) {

    /** A duration, good up to one limit and fair up to another. */
    static Sight ofMicros(
            String what, double micros, String seen, double good, double fair, String ifGood, String otherwise) {
        Grade grade = micros <= good ? Grade.GOOD : micros <= fair ? Grade.FAIR : Grade.POOR;
        return new Sight(what, seen, grade, grade == Grade.GOOD ? ifGood : otherwise);
    }

    /** Something that is neither good nor bad. */
    static Sight info(String what, String seen, String means) {
        return new Sight(what, seen, Grade.INFO, means);
    }
}
