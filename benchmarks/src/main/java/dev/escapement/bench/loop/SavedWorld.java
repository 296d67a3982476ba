package dev.escapement.bench.loop;

/** A world whose whole state can be saved at any time, whatever was saved before. */
public interface SavedWorld extends SteppedWorld {

    /** Writes all there is to it. */
    void saveTo(double[] state);
}
