uniform vec4 rectangle; // the upper left corner and the size, in clip space
out vec2 at;

// The front face is counterclockwise as seen on the screen: the size goes down.
void main() {
    at = vec2(gl_VertexID >> 1, gl_VertexID & 1);
    gl_Position = vec4(rectangle.xy + at * rectangle.zw, 0.0, 1.0);
}
