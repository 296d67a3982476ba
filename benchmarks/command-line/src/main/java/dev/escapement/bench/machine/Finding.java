package dev.escapement.bench.machine;

import dev.escapement.bench.report.Table;
import java.util.List;
import java.util.Locale;

/**
 * One row of the report on the machine.
 *
 * @param what  the part of the machine, for example its timer
 * @param seen  what was found
 * @param grade how good that is for physics ticks
 * @param means what to expect of this part, and what to change if the grade is not good
 */
record Finding(String what, String seen, Grade grade, String means) {

    enum Grade {
        /** As good as on a machine that runs nothing else. */
        GOOD,
        FAIR,
        /** So bad that measurements on this machine say little until it is fixed. */
        POOR,
        /** Information only, neither good nor bad. */
        INFO;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Grades a metric where less is better: GOOD up to the limit {@code good}, FAIR up to {@code fair}, else POOR. */
    static Finding graded(
            String what, double metric, String seen, double good, double fair, String ifGood, String otherwise) {
        Grade grade = metric <= good ? Grade.GOOD : metric <= fair ? Grade.FAIR : Grade.POOR;
        return new Finding(what, seen, grade, grade == Grade.GOOD ? ifGood : otherwise);
    }

    static Table<Finding> table() {
        return new Table<Finding>()
                .left("what", Finding::what)
                .left("seen", 31, Finding::seen)
                .left("grade", finding -> finding.grade == Grade.INFO ? "" : finding.grade.toString())
                .left("what to expect, what to change", 34, Finding::means);
    }

    static String verdict(List<Finding> findings) {
        List<Grade> grades = findings.stream().map(Finding::grade).toList();
        if (grades.contains(Grade.POOR)) {
            return "Change what is poor before you measure anything; promises hold here too, but ticks will be late.";
        }
        return grades.contains(Grade.FAIR)
                ? "Usable: 100 Hz should hold; what is fair makes the slowest ticks slower."
                : "As good as a dedicated machine.";
    }
}
