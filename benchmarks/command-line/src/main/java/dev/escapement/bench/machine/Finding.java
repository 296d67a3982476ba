package dev.escapement.bench.machine;

import dev.escapement.bench.report.Table;
import java.util.List;
import java.util.Locale;

/**
 * A finding about the machine.
 *
 * @param what  the part of the machine
 * @param seen  what was found
 * @param grade how good that is
 * @param means what to expect of this part, and what to change if the grade is not good
 */
record Finding(String what, String seen, Grade grade, String means) {

    enum Grade {
        /** As good as a dedicated machine. */
        GOOD,
        /** Usable. */
        FAIR,
        /** Must be improved before anything else is measured. */
        POOR,
        /** Information only, neither good nor bad. */
        INFO;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Grades a metric: good up to one limit, fair up to another. */
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
