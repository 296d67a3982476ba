package dev.escapement.bench.flood;

/** A gate with a planted fault: at the tenth event and every thousandth after it. One producer's. */
final class FaultyGate implements InputGate {

    private static final int FIRST = 10;
    private static final int EVERY = 1000;

    private final Plant plant;
    private final InputGate gate;
    private int offers;
    private boolean holding;
    private long heldNanos;
    private int heldCode;
    private float heldX;
    private float heldY;

    FaultyGate(Plant plant, InputGate gate) {
        this.plant = plant;
        this.gate = gate;
    }

    @Override
    public boolean offer(long timeNanos, int code, float x, float y) {
        if (holding) {
            holding = false;
            boolean accepted = gate.offer(heldNanos, code, x, y);
            return gate.offer(timeNanos, heldCode, heldX, heldY) && accepted;
        }
        if (++offers % EVERY != FIRST) {
            return gate.offer(timeNanos, code, x, y);
        }
        return switch (plant) {
            case NONE, MISPLACE -> gate.offer(timeNanos, code, x, y);
            case LOSE -> true;
            case DOUBLE -> offerTwice(timeNanos, code, x, y);
            case REORDER -> hold(timeNanos, code, x, y);
            case DENY -> offerInSecret(timeNanos, code, x, y);
        };
    }

    private boolean offerTwice(long timeNanos, int code, float x, float y) {
        boolean accepted = gate.offer(timeNanos, code, x, y);
        return gate.offer(timeNanos, code, x, y) || accepted;
    }

    private boolean offerInSecret(long timeNanos, int code, float x, float y) {
        gate.offer(timeNanos, code, x, y);
        return false;
    }

    private boolean hold(long timeNanos, int code, float x, float y) {
        holding = true;
        heldNanos = timeNanos;
        heldCode = code;
        heldX = x;
        heldY = y;
        return true;
    }
}
