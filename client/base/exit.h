/* The exit codes of janggi in all its modes. */
#ifndef CLIENT_BASE_EXIT_H
#define CLIENT_BASE_EXIT_H

enum client_exit {
    CLIENT_EXIT_OK = 0,
    CLIENT_EXIT_ERROR = 1,
    CLIENT_EXIT_USAGE = 2,
    CLIENT_EXIT_LOST = 3, /* the server was not reached, or the connection was lost */
    /* the server's key does not match, or the user could not be asked about it */
    CLIENT_EXIT_TRUST = 4,
    CLIENT_EXIT_REFUSED = 5, /* invitation or login refused, or the server is full */
    CLIENT_EXIT_MOVE = 6,    /* a command of a script was refused */
    CLIENT_EXIT_INTERRUPT = 130
};

#endif
