package dev.escapement.state.exchange.stress;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;

/** The verdict on the result of one test. */
final class Verdict {

    /** The minimum number of samples. A test with fewer was started, but hardly ran. One is enough for a loop that ends, or not. */
    private static final long MIN_SAMPLES = 100;

    private final @Nullable TestResult result;

    Verdict(Map<String, TestResult> results, String test) {
        result = results.get(test);
    }

    /** Returns whether the test really ran: without an error, and often enough. */
    boolean ran() {
        return result != null
                && result.status() == Status.NORMAL
                && (samples() >= MIN_SAMPLES || result.getStateKeys().contains("TERMINATED"));
    }

    boolean passed() {
        return ran() && forbidden() == 0;
    }

    /** Returns whether a forbidden result was observed, as tests of a broken word must. */
    boolean caught() {
        return ran() && forbidden() > 0;
    }

    long samples() {
        return result == null ? 0 : result.getTotalCount();
    }

    /** Returns the number of different results. The more often the actors met, the more different results there are. */
    int states() {
        return result == null ? 0 : result.getStateKeys().size();
    }

    /** Returns the number of samples that were not acceptable. */
    long forbidden() {
        long count = 0;
        if (result != null) {
            for (GradingResult graded : result.grading().gradingResults.values()) {
                if (graded.expect == Expect.FORBIDDEN || graded.expect == Expect.UNKNOWN) {
                    count += graded.count;
                }
            }
        }
        return count;
    }

    String trouble() {
        return result == null
                ? "did not run"
                : result.status() + " after " + samples() + " samples " + result.getMessages();
    }
}
