package dev.escapement.bench.stress.trial;

/** The platform does not allow a scenario, so nothing is known of its promises. */
public final class SkippedException extends Exception {

    private static final long serialVersionUID = 1;

    /** Says what is missing, and what would change that. */
    public SkippedException(String reason) {
        super(reason);
    }
}
