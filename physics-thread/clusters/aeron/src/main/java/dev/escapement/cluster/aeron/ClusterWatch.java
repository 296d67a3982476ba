package dev.escapement.cluster.aeron;

/** Tells a listener what has changed since it was told last. One thread. */
final class ClusterWatch {

    private final ClusterListener listener;
    private boolean leads;
    private boolean hasQuorum;
    private boolean isBehind;

    ClusterWatch(ClusterListener listener) {
        this.listener = listener;
    }

    /** What the listener throws comes after all else was noted, and is not told again. */
    void look(boolean leadsNow, boolean hasQuorumNow, boolean isBehindNow, long lagNanos) {
        boolean leadershipChanged = leads != leadsNow;
        boolean quorumChanged = hasQuorum != hasQuorumNow;
        boolean lagChanged = isBehind != isBehindNow;
        leads = leadsNow;
        hasQuorum = hasQuorumNow;
        isBehind = isBehindNow;
        try {
            if (quorumChanged) {
                listener.quorumChanged(hasQuorumNow);
            }
        } finally {
            try {
                if (leadershipChanged) {
                    listener.leadershipChanged(leadsNow);
                }
            } finally {
                if (lagChanged) {
                    listener.lagChanged(isBehindNow, lagNanos);
                }
            }
        }
    }
}
