package example.migration;

/** A stand-in for the game's window and renderer. */
interface Screen {

    boolean isOpen();

    void draw(double y);
}
